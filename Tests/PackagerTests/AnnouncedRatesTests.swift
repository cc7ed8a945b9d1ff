import Media
import TestSupport
import Testing
import Timeline

@testable import Packager

@Suite struct `Announced bit rates` {
    /// The rates of a rendition as its segments have them, in the way of RFC 8216, 4.1.
    private static func measured(
        _ presentation: Presentation,
        _ description: RenditionDescription
    ) throws -> (peak: Double, average: Double) {
        let plan = presentation.plan.segments
        var segments: [(bytes: Int, seconds: Double)] = []
        if description.rendition == .keyframes {
            for picture in try presentation.keyframes() {
                let bytes = try presentation.segment(
                    picture.segment,
                    of: .keyframes,
                    in: description.container,
                    cancellation: Cancellation()
                )
                segments.append((bytes.count, picture.duration.seconds))
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
    func `of what is copied are those of the segments`(container: SegmentContainer, rendition: Rendition) throws {
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
    func `of short and slow sound are those of the segments`(container: SegmentContainer, rate: Int) throws {
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
    func `of a short film that is encoded are those of the segments`(
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

    @Test func `the peak is over half to one and a half target durations`() {
        let rates = BitRates([(600, 6), (100, 1), (300, 2), (600, 6)], target: 6)
        // The second and third together are three seconds long: 400 bytes.
        #expect(rates.peak == 3200.0 / 3)
        #expect(rates.average == 12_800.0 / 15)
        #expect(BitRates([(10, 0.1)], target: 1).peak == 800)
    }
}
