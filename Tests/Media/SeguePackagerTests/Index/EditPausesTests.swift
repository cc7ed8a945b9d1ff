import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A pause in an edit list` {
    /// A movie with these edits of its tracks.
    private static func movie(
        _ edits: [MovieBoxes.Edit],
        handlers: Set<String> = ["vide", "soun"],
        in folder: TestFolder
    ) throws -> String {
        let clip = Clip(bFrames: 0)
        var boxes = try MovieBoxes([UInt8](Data(contentsOf: URL(fileURLWithPath: clip.write(in: folder)))))
        boxes.edit(edits, handlers: handlers)
        return try folder.write(boxes.bytes, to: "edited.mp4")
    }

    /// Video up to 4 s, a pause of 3 s, and the rest.
    private static let edits: [MovieBoxes.Edit] = [(4, 0), (3, nil), (8, 4)]

    @Test(arguments: SegmentContainer.allCases)
    func `is a still frame and silence, and all behind it is in step`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Self.movie(Self.edits, in: folder))
        #expect(abs(presentation.plan.duration.seconds - 15) < 0.05)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: container)
        let times = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video).times.map { $0 - Rational(0) }
        let frames = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered")).frames
        let start = try #require(times.first)
        // Frame 99 is the last before the pause, and frame 100 the first behind it; the luma is 7 times the number.
        let before = try #require(times.lastIndex { $0 - start < Rational(13, 2) })
        let after = try #require(times.firstIndex { $0 - start >= Rational(699, 100) })
        #expect(abs(frames[before].sample(0, at: 0.5, 0.5) - 99 * 7 % 256) < 8)
        #expect(abs(frames[after].sample(0, at: 0.5, 0.5) - 100 * 7 % 256) < 8)
        #expect(abs((times[after] - start).seconds - 7) < 0.021)
        let audio = try #require(presentation.rendition(.full, in: container).tracks.last)
        let samples = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio).samples
            .dropFirst(audio.primingSamples)
        let isLoud = { (range: Range<Double>) in
            let places = Int(range.lowerBound * 44100)..<Int(range.upperBound * 44100)
            return samples.dropFirst(places.lowerBound).prefix(places.count).contains { abs($0) > 0.1 }
        }
        #expect(isLoud(3.9..<3.97) && !isLoud(4.06..<6.94) && isLoud(7.05..<7.1) && isLoud(14.8..<14.9))
    }

    @Test func `of the audio alone is silence`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(
            Self.movie([(4, 0), (3, nil), (5, 4)], handlers: ["soun"], in: folder)
        )
        #expect(presentation.plan.duration.seconds.rounded() == 13)
        let bytes = try PresentationTests.whole(presentation, rendition: .background, container: .ts)
        let audio = try #require(presentation.rendition(.background, in: .ts).tracks.last)
        let samples = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio).samples
            .dropFirst(audio.primingSamples)
        let silence = samples.dropFirst(Int(4.06 * 44100)).prefix(Int(2.8 * 44100))
        #expect(silence.allSatisfy { abs($0) < 0.05 })
        #expect(samples.dropFirst(Int(7.05 * 44100)).prefix(4410).contains { abs($0) > 0.1 })
    }

    @Test func `at the end is no media`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Self.movie([(4, 0), (3, nil)], in: folder))
        #expect(abs(presentation.plan.duration.seconds - 4) < 0.05)
    }
}
