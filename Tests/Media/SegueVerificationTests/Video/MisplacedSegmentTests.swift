import Testing

@testable import SegueVerification

@Suite struct `Misplaced segments` {
    /// The matches of segments of 4 s with one frame a second, each with the content of a segment.
    private static func matches(_ contents: [Int]) -> [FrameMatch] {
        contents.enumerated().flatMap { number, content in
            (0..<4).map { frame in
                var match = FrameMatch(time: Double(number * 4 + frame))
                (match.segment, match.source, match.isSure) = (number, content * 4 + frame, true)
                return match
            }
        }
    }

    private static func found(_ contents: [Int]) -> [MisplacedSegment] {
        MisplacedSegment.all(
            matches(contents),
            sourceTimes: (0..<64).map(Double.init),
            starts: contents.indices.map { Double($0 * 4) }
        )
    }

    @Test func `a segment with another one's content is named with both numbers`() {
        #expect(Self.found([0, 1, 2, 9, 4, 5, 6, 7, 8, 9]) == [MisplacedSegment(number: 3, content: 9)])
        #expect(
            Self.found([0, 5, 2, 3, 4, 1, 6]) == [
                MisplacedSegment(number: 1, content: 5), MisplacedSegment(number: 5, content: 1),
            ]
        )
    }

    @Test func `content in its own place is not misplaced, wherever the stream begins in the source`() {
        #expect(Self.found([0, 1, 2, 3, 4]).isEmpty)
        #expect(Self.found([3, 4, 5, 6, 7]).isEmpty)
    }
}
