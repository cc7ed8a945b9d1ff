import Testing
import Timeline

@testable import Packager
@testable import Verification

@Suite struct `Times that contradict the count of samples` {
    private static let frame = 0.046

    private let plan = SegmentPlan(
        segments: [PlannedSegment(number: 0, start: .zero, duration: Rational(60), startsDiscontinuity: false)],
        origin: .zero,
        timestampOffset: .zero
    )

    /// What is wrong with sound that was delivered at even steps from 0 on, but for what is added to a frame's time.
    private func wrong(said: [Double], length: Double = frame, late: (Int) -> Double = { _ in 0 }) -> [Double] {
        var due = DueTimes()
        let measured = said.enumerated().compactMap { number, said -> TimeOffsets.Measured? in
            guard let right = due.add(said, length: length) else { return nil }
            let delivered = Double(number) * length + late(number)
            return TimeOffsets.Measured(delivered: delivered, said: said, due: right)
        }
        return TimeOffsets(measured, plan: plan, allowed: 0.002).wrong(allowed: 0.002).map(\.error)
    }

    private static let count = 200

    /// Timestamps as containers have them: exact, in whole milliseconds, off by some milliseconds at one frame, at the
    /// first, or at each, and of a clock that is slow.
    private static let sources: [[Double]] = [
        stamped { $0 }, stamped { ($0 * 1000).rounded(.down) / 1000 },
        stamped { $0 + (abs($0 - 77 * frame) < 0.001 ? 0.0041 : 0) }, stamped { $0 == 0 ? -0.006 : $0 },
        stamped { $0 + 0.003 * ((($0 / frame).rounded() * 7).truncatingRemainder(dividingBy: 5) - 2) },
        stamped { $0 * 1.001 },
    ]

    /// Timestamps made of the times that frames take.
    private static func stamped(_ body: (Double) -> Double) -> [Double] { (0..<count).map { body(Double($0) * frame) } }

    @Test(arguments: sources) func `sound that goes by its samples is right`(said: [Double]) {
        #expect(wrong(said: said).isEmpty)
    }

    @Test(arguments: sources.dropLast()) func `a frame or a half that is 17 ms late is found`(said: [Double]) {
        #expect(wrong(said: said) { $0 == 120 ? 0.017 : 0 }.count == 1)
        #expect(wrong(said: said) { $0 >= 120 ? 0.017 : 0 }.count >= 80)
        #expect(wrong(said: said) { $0 >= 120 ? -0.017 : 0 }.count >= 80)
    }

    @Test func `a hole is none of the contradictions`() {
        let said = (0..<Self.count).map { Double($0) * Self.frame + ($0 >= 100 ? 0.5 : 0) }
        #expect(wrong(said: said).count == 100)
        #expect(wrong(said: said) { $0 >= 100 ? 0.5 : 0 }.isEmpty)
        var due = DueTimes()
        for time in said { _ = due.add(time, length: Self.frame) }
        #expect(due.jitter < 1e-9)
    }

    @Test func `frames without a timestamp follow those before`() {
        var due = DueTimes()
        #expect(due.add(nil, length: 1) == nil)
        #expect(due.add(3, length: 1) == 3...3)
        #expect(due.add(nil, length: 1) == 4...4)
        #expect(due.add(5.01, length: 1)?.upperBound == 5.01)
    }
}
