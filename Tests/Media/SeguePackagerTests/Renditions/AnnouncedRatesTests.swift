import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Announced bit rates` {
    /// The rates of a rendition's segments, computed as in RFC 8216, 4.1.
    private static func measured(
        _ presentation: Presentation,
        _ description: RenditionDescription
    ) throws -> (peak: Double, average: Double) {
        let plan = presentation.plan.segments
        var segments: [(bytes: Int, seconds: Double)] = []
        if description.rendition == .keyframes {
            for frame in try presentation.keyframes() {
                let bytes = try presentation.segment(
                    frame.segment,
                    of: .keyframes,
                    in: description.container,
                    cancellation: Cancellation()
                )
                segments.append((bytes.count, frame.duration.seconds))
            }
        } else {
            for number in 0..<description.extent.segmentCount {
                let bytes = try presentation.segment(
                    number,
                    of: description.rendition,
                    in: description.container,
                    cancellation: Cancellation()
                )
                let end = number == description.extent.segmentCount - 1 ? description.extent.end : plan[number].end
                segments.append((bytes.count, (end - plan[number].start).seconds))
            }
        }
        let target = segments.map { Int64(($0.seconds + 0.5).rounded(.down)) }.max() ?? 1
        let rates = BitRates(segments, target: max(1, target))
        return (rates.peak, rates.average)
    }

    @Test(arguments: SegmentContainer.allCases, [Rendition.full, .background, .video, .keyframes])
    func `of copied media equal those of the segments`(container: SegmentContainer, rendition: Rendition) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 20, audioSeconds: 16).write(in: folder)
        let presentation = try PresentationTests.open(path)
        let description = try presentation.rendition(rendition, in: container)
        let found = try Self.measured(presentation, description)
        let tolerance = rendition == .background ? 1 : 0.02 * found.average
        #expect((Double(description.averageBandwidth) - found.average).magnitude <= tolerance)
        #expect((Double(description.peakBandwidth) - found.peak).magnitude <= max(1, 0.02 * found.peak))
    }

    @Test(arguments: SegmentContainer.allCases, [8000, 22050, 48000])
    func `of short and low-rate audio equal those of the segments`(container: SegmentContainer, rate: Int) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 1, videoCodec: nil, audioCodec: "aac", sampleRate: rate, channels: 1)
            .write(in: folder)
        let presentation = try PresentationTests.open(path)
        let description = try presentation.rendition(.background, in: container)
        let found = try Self.measured(presentation, description)
        #expect((Double(description.averageBandwidth) - found.average).magnitude <= 1)
        #expect((Double(description.peakBandwidth) - found.peak).magnitude <= 1)
    }

    @Test(arguments: SegmentContainer.allCases, [Rendition.full, .keyframes])
    func `of a short transcoded video equal those of the segments`(
        container: SegmentContainer,
        rendition: Rendition
    ) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 9, container: "matroska", videoCodec: "mpeg4", bFrames: 0, audioCodec: "flac")
            .write(in: folder)
        let presentation = try PresentationTests.open(path)
        let description = try presentation.rendition(rendition, in: container)
        let found = try Self.measured(presentation, description)
        #expect((Double(description.averageBandwidth) - found.average).magnitude <= 0.03 * found.average)
        #expect((Double(description.peakBandwidth) - found.peak).magnitude <= 0.03 * found.peak)
    }

    /// A video of which only some frames are encoded before its playlists.
    private static let longFilm = Clip(
        seconds: 30,
        container: "matroska",
        videoCodec: "mpeg4",
        bFrames: 0,
        audioCodec: nil,
        width: 640,
        height: 368
    )

    @Test(arguments: SegmentContainer.allCases)
    func `of the I-frames of a long transcoded video are correct`(
        container: SegmentContainer
    ) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Self.longFilm.write(in: folder))
        let description = try presentation.rendition(.keyframes, in: container)
        let found = try Self.measured(presentation, description)
        #expect((Double(description.peakBandwidth) - found.peak).magnitude <= 0.05 * found.peak)
    }

    @Test func `a long video does not depend on an earlier request of its I-frames`() throws {
        let folder = try TestFolder()
        let path = try Self.longFilm.write(in: folder)
        let found = try [[Rendition.keyframes, .full], [.full, .keyframes]].map { renditions in
            let presentation = try PresentationTests.open(path)
            return try Dictionary(
                uniqueKeysWithValues: renditions.map { rendition in
                    let description = try presentation.rendition(rendition, in: .fmp4)
                    let segments = try (0..<presentation.plan.segments.count).map {
                        try presentation.segment($0, of: rendition, in: .fmp4, cancellation: Cancellation())
                    }
                    return (rendition, Made(description: description, segments: segments))
                }
            )
        }
        #expect(found[0] == found[1])
    }

    private struct Made: Equatable {
        var description: RenditionDescription
        var segments: [[UInt8]]
    }

    @Test(arguments: SegmentContainer.allCases)
    func `of long audio with a loud part equal those of the segments`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 80, container: "matroska", videoCodec: nil, audioCodec: "flac", channels: 1)
        clip.noisySeconds = 31..<37
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let description = try presentation.rendition(.background, in: container)
        let found = try Self.measured(presentation, description)
        #expect(found.peak > 1.25 * found.average)
        #expect((Double(description.peakBandwidth) - found.peak).magnitude <= 0.05 * found.peak)
        #expect((Double(description.averageBandwidth) - found.average).magnitude <= 0.1 * found.average)
    }

    @Test func `the peak is over half to one and a half target durations`() {
        let rates = BitRates([(600, 6), (100, 1), (300, 2), (600, 6)], target: 6)
        // The second and third segment together are three seconds long: 400 bytes.
        #expect(rates.peak == 3200.0 / 3)
        #expect(rates.average == 12_800.0 / 15)
        #expect(BitRates([(10, 0.1)], target: 1).peak == 800)
    }
}
