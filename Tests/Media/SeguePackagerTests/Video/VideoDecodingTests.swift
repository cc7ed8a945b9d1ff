import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A film with one keyframe` {
    @Test(arguments: [0, 2])
    func `is decoded on from one segment to the next, with the same bytes as from its start`(bFrames: Int) throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 40, container: "matroska", keyframeInterval: 10_000, bFrames: bFrames)
        let path = try clip.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let numbers = presentation.plan.segments.map(\.number)
        try #require(numbers.count == 7)
        let segments = { (presentation: Presentation, numbers: [Int]) in
            try `A film that is transcoded`.segments(presentation, numbers: numbers, container: .fmp4)
        }
        let straight = try segments(presentation, numbers)
        #expect(try segments(presentation, numbers.reversed()) == straight)
        let other = try PresentationTests.open(path)
        #expect(try segments(other, [3])[3] == straight[3])
        #expect(try segments(other, [5, 4]) == straight.filter { [4, 5].contains($0.key) })
        // What stands after segment 2 serves segment 3, and nothing before it.
        let stream = try #require(presentation.tracks.playableVideo).stream.index
        let again = try PresentationTests.open(path)
        _ = try segments(again, [2])
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: 0) == nil)
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: .max)?.hasBegun == true)
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: .max) == nil)
    }
}
