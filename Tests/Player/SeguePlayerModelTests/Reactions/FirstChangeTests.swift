import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct `The first change` {
    /// A number of nanoseconds that grows at a rate, compared with a limit.
    private struct Course {
        let start: Double
        let pace: Double
        let limit: Double

        func isAbove(_ at: Int64) -> Bool { start + pace * Double(at) >= limit }

        func told(_ first: Instant, _ last: Instant) -> Bool? {
            let (one, other) = (isAbove(first.nanoseconds), isAbove(last.nanoseconds))
            return one == other ? one : nil
        }
    }

    @Test func `is found to the nanosecond`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let course = Course(
                start: .random(in: -100...100, using: &random),
                pace: .random(in: -2...2, using: &random),
                limit: .random(in: -100...100, using: &random)
            )
            let end: Int64 = 300
            let found = FirstChange.instant(
                after: .zero,
                before: Instant(nanoseconds: end),
                from: course.isAbove(0),
                course.told
            )
            let first = (1..<end).first { course.isAbove($0) != course.isAbove(0) }
            #expect(found == first.map { Instant(nanoseconds: $0) })
        }
    }

    @Test func `is found after thirty years`() {
        let course = Course(start: 0, pace: 1, limit: 987_654_321_098_765_440)
        let end = Instant(nanoseconds: 1_000_000_000_000_000_000)
        let found = FirstChange.instant(after: .zero, before: end, from: false, course.told)
        #expect(found.map { course.isAbove($0.nanoseconds) && !course.isAbove($0.nanoseconds - 200) } == true)
        #expect(FirstChange.instant(after: .zero, before: Instant(nanoseconds: 1000), from: false, course.told) == nil)
    }

    @Test func `is searched again if it is undecided`() {
        var looks = 0
        let found = FirstChange.instant(after: .zero, before: Instant(nanoseconds: .max), from: false) { first, last in
            looks += 1
            return first == last ? false : nil
        }
        #expect(found == Instant(seconds: 0.1))
        #expect(looks < 1000)
    }

    @Test func `is not in a span without an instant`() {
        for end in 0...1 as ClosedRange<Int64> {
            #expect(
                FirstChange.instant(after: .zero, before: Instant(nanoseconds: end), from: false) { _, _ in true }
                    == nil
            )
        }
    }
}
