import Media
import TestSupport
import Testing
import Timeline

@testable import Packager

@Suite struct `A film with one keyframe` {
    @Test(arguments: ["libx264", "mpeg4"], [0, 2])
    func `is decoded on from one segment to the next, with the same bytes as from its start`(
        codec: String,
        bFrames: Int
    ) throws {
        let folder = try TestFolder()
        let clip = Clip(
            seconds: 40,
            container: "matroska",
            videoCodec: codec,
            keyframeInterval: 600,
            bFrames: bFrames
        )
        let path = try clip.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let numbers = presentation.plan.segments.map(\.number)
        try #require(numbers.count == 7)
        let segments = { try `A film that is transcoded`.segments(presentation, $0, .fmp4) }
        let straight = try segments(numbers)
        #expect(try segments(numbers.reversed()) == straight)
        let other = try PresentationTests.open(path)
        #expect(try `A film that is transcoded`.segments(other, [3], .fmp4)[3] == straight[3])
        #expect(try `A film that is transcoded`.segments(other, [5, 4], .fmp4) == straight.filter { [4, 5].contains($0.key) })
        // What stands after segment 3 serves segment 4, and nothing before it.
        let stream = try #require(presentation.contents.playableVideo).stream.index
        let again = try PresentationTests.open(path)
        _ = try `A film that is transcoded`.segments(again, [2], .fmp4)
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: 0) == nil)
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: .max)?.hasBegun == true)
        #expect(again.pool.decodings.take(stream: stream, from: 0, notAfter: .max) == nil)
    }
}
