import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Missing audio and video` {
    /// The audio's missing seconds, and the words of the reason; an encoder's first packet lies before second 0.
    static let missing: [(Range<Int>, String)] = [
        (0..<8, "needs silence"), (6..<26, "ends 20 s early"), (7..<8, "pauses for 1 s"), (5..<19, "pauses for 14 s"),
    ]

    @Test(arguments: missing, ["mp4", "matroska"])
    func `audio that is missing is silent, and every rendition has every segment`(
        missing: (Range<Int>, String),
        container: String
    ) throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 26, container: container, missingAudio: missing.0)
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let treatments = try presentation.rendition(.full, in: .ts).tracks.map(\.treatment)
        #expect(treatments.first == .copy)
        guard case .transcode(let reason) = try #require(treatments.last) else {
            Issue.record("the audio is copied")
            return
        }
        #expect(reason.contains(missing.1))
        for (rendition, form) in [(Rendition.background, SegmentContainer.ts), (.full, .ts), (.full, .fmp4)] {
            let extent = try presentation.extent(of: rendition, in: form)
            #expect(extent.segmentCount == presentation.plan.segments.count)
            #expect(extent.end == presentation.plan.duration)
            for (segment, heard) in try presentation.decodedAudio(of: rendition, in: form) {
                let length = Double(heard.samples.count) / Double(clip.sampleRate)
                #expect(abs(length - segment.duration.seconds) < 0.1, "segment \(segment.number): \(length) s")
            }
        }
    }

    @Test func `two audio renditions of which one is short begin and end together`() throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 20, otherAudio: [.init(seconds: 8), .init(seconds: 27)])
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let streams = try presentation.audioTracks(cancellation: Cancellation())
        #expect(streams.count == 3)
        #expect(abs(presentation.plan.duration.seconds - 27) < 0.1)
        let ends = try streams.map { stream in
            let rendition = try #require(Rendition(video: .none, audio: .track(stream.index)))
            return try presentation.extent(of: rendition, in: .fmp4)
        }
        #expect(ends.map(\.segmentCount) == ends.map { _ in presentation.plan.segments.count })
        #expect(ends.map(\.end) == ends.map { _ in presentation.plan.duration })
    }

    @Test(arguments: [0..<8, 10..<26], SegmentContainer.allCases)
    func `video that begins late or ends early stands still there`(missing: Range<Int>, form: SegmentContainer) throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 26, container: "matroska", missingVideo: missing)
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let segments = presentation.plan.segments
        #expect(segments.allSatisfy { $0.duration < Rational(8) })
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: form)
        let shown = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video).times
        let gaps = zip(shown, shown.dropFirst()).map { ($1 - $0).seconds }
        #expect((gaps.max() ?? 9) < 0.09)
        let track = try #require(presentation.rendition(.full, in: form).tracks.first)
        let rate = try #require(track.frameRate).seconds
        #expect(abs(rate * gaps.sorted()[gaps.count / 2] - 1) < 0.005, "\(rate) frames/s are declared")
        let first = try #require(shown.first) - presentation.plan.timestampOffset
        #expect(abs(first.seconds) < 0.05)
        let last = try #require(shown.last) - presentation.plan.timestampOffset
        #expect(abs((last - presentation.plan.duration).seconds) < 0.1)
    }

    @Test func `video that is a moment late is copied`() throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 13, keyframeInterval: 25, missingVideo: 0..<1)
        let presentation = try PresentationTests.open(clip.write(in: folder))
        #expect(try presentation.rendition(.full, in: .fmp4).tracks.map(\.treatment) == [.copy, .copy])
    }

    @Test(arguments: [(44100, 1, 48000, 2), (48000, 2, 44100, 1)])
    func `audio whose coding changes has the higher rate and all channels`(
        rate: Int,
        channels: Int,
        laterRate: Int,
        laterChannels: Int
    ) throws {
        let folder = try TestFolder()
        let parts = try [(rate, channels), (laterRate, laterChannels)].map { rate, channels in
            let clip = Clip(seconds: 8, container: "mpegts", sampleRate: rate, channels: channels)
            return try Array(Data(contentsOf: URL(fileURLWithPath: clip.write(in: folder))))
        }
        let presentation = try PresentationTests.open(folder.write(parts[0] + parts[1], to: "changes.ts"))
        let track = try #require(presentation.rendition(.background, in: .ts).tracks.first)
        #expect(track.sampleRate == 48000)
        #expect(track.channels == 2)
        let bytes = try PresentationTests.whole(presentation, rendition: .background, container: .ts)
        let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio)
        #expect(abs(Double(heard.samples.count) / 48000 - 16) < 0.3)
    }

    @Test(arguments: ["wav", "w64", "caf"])
    func `uncompressed audio is planned without being read`(container: String) throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 60, container: container, videoCodec: nil, audioCodec: "pcm_s16le", isNoise: true)
        let path = try clip.write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(presentation.indexing.source == .samples)
        #expect(presentation.indexing.bytesRead < 1 << 20)
        #expect(presentation.plan.duration == Rational(60))
        let bytes = try PresentationTests.whole(presentation, rendition: .background, container: .fmp4)
        let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio).samples.dropFirst(1024)
        let source = try Decoded(MediaInput(path: path), .audio).samples
        for second in stride(from: 5, to: 60, by: 9) {
            let range = second * 44100..<second * 44100 + 4096
            let products = zip(heard.dropFirst(range.lowerBound), source[range]).reduce(0) { $0 + $1.0 * $1.1 }
            let strength = source[range].reduce(0) { $0 + $1 * $1 }
            #expect(products > 0.5 * strength, "second \(second)")
        }
    }
}
