import Testing

@testable import SegueVerification

@Suite struct VideoReadingTests {
    typealias Kind = VideoReading.Edit.Kind

    private static let times = (0..<1000).map { Double($0) / 25 }

    /// Matches of consecutive source frames at 25 per second from 1.4 s on.
    private func matches(_ sources: [Int]) -> [FrameMatch] {
        sources.enumerated().map { number, source in
            var match = FrameMatch(time: 1.4 + Double(number) / 25)
            (match.source, match.isSure) = (source, true)
            if source < 0 { match.nature = .foreign }
            return match
        }
    }

    private func edits(_ matches: [FrameMatch], times: [Double] = times) -> [VideoReading.Edit] {
        VideoReading(matches, sourceTimes: times, ContentAllowance()).edits
    }

    @Test func `frames in order have no edits`() { #expect(edits(matches(Array(0..<1000))).isEmpty) }

    /// Runs of frames: the first, the count, and the step.
    struct Runs {
        var runs: [(first: Int, count: Int, step: Int)]
        init(_ runs: (Int, Int, Int)...) { self.runs = runs }
        var sources: [Int] { runs.flatMap { run in (0..<run.count).map { run.first + $0 * run.step } } }
    }

    @Test(arguments: [
        (Runs((0, 300, 1), (350, 650, 1)), Kind.missing, 50, 300),
        (Runs((0, 500, 1), (400, 600, 1)), .repeated, 100, 500),
        (Runs((0, 300, 1), (299, 25, 0), (325, 675, 1)), .frozen, 25, 300),
        (Runs((0, 300, 1), (299, 1, 1), (301, 699, 1)), .frozen, 1, 300),
        (Runs((0, 500, 1), (-1, 100, 0), (600, 400, 1)), .foreign, 100, 500),
        (Runs((0, 300, 1), (400, 100, 1), (300, 100, 1), (500, 500, 1)), .exchanged(100), 100, 300),
        (Runs((100, 900, 1)), .missingHead, 100, 0),
        (Runs((2, 2, 1), (0, 1000, 1)), .ahead, 2, 0),
        (Runs((-1, 2, 0), (0, 1000, 1)), .ahead, 2, 0),
        (Runs((-1, 4, 0), (0, 3, 1), (-1, 8, 0), (0, 1000, 1)), .ahead, 15, 0),
        (Runs((0, 15, 1), (0, 1000, 1)), .repeated, 15, 15),
        (Runs((0, 800, 1)), .missingTail, 200, 799),
    ])
    func `an edit is reported with size and position`(runs: Runs, kind: Kind, count: Int, place: Int) {
        let found = edits(matches(runs.sources))
        #expect(found.map(\.kind) == [kind])
        #expect(found.map(\.count) == [count])
        #expect(found.map(\.frame) == [place])
    }

    @Test func `an omitted frame among steady ones is missing`() {
        var given = matches(Array(0..<1000))
        given.remove(at: 310)
        #expect(edits(given).map(\.kind) == [.missing])
        #expect(edits(given).map(\.frame) == [310])
    }

    @Test func `frames late from a position on are reported with the delay`() throws {
        var given = matches(Array(0..<1000))
        for number in 300..<1000 { given[number].time += 0.08 }
        let found = edits(given)
        #expect(found.map(\.kind) == [.moved])
        #expect(abs(try #require(found.first).size - 0.08) < 1e-6)
    }

    @Test func `half the frame rate may be delivered`() {
        let given = matches(Array(0..<1000)).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(edits(given).isEmpty)
    }

    @Test func `variable frame times may be made constant`() {
        // Frames of a twelfth and a twenty-fourth of a second in alternation; each 24th is filled up.
        let times = (0..<600).map { Double($0 / 2) / 8 + ($0.isMultiple(of: 2) ? 0 : 1.0 / 12) }
        let given = (0..<900).map { number in
            var match = FrameMatch(time: Double(number) / 24)
            match.source = number / 3 * 2 + (number % 3 == 2 ? 1 : 0)
            match.isSure = true
            return match
        }
        #expect(edits(given, times: times).isEmpty)
    }
}
