import SegueBase
import Testing

@testable import SeguePackager
@testable import SegueVerification

@Suite struct `Times that contradict the count of samples` {
    private static let frame = 0.046

    private let plan = SegmentPlan(
        segments: [PlannedSegment(number: 0, start: .zero, duration: Rational(60), startsDiscontinuity: false)],
        origin: .zero,
        timestampOffset: .zero
    )

    /// The errors of audio delivered evenly from 0 on, except for the delay of a frame.
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

    /// Container timestamps: exact, in whole milliseconds, off by some milliseconds at one frame, at the first, or at
    /// each, and of a slow clock.
    private static let sources: [[Double]] = [
        stamped { $0 }, stamped { ($0 * 1000).rounded(.down) / 1000 },
        stamped { $0 + (abs($0 - 77 * frame) < 0.001 ? 0.0041 : 0) }, stamped { $0 == 0 ? -0.006 : $0 },
        stamped { $0 + 0.003 * ((($0 / frame).rounded() * 7).truncatingRemainder(dividingBy: 5) - 2) },
        stamped { $0 * 1.001 },
    ]

    /// Timestamps derived from frame times.
    private static func stamped(_ body: (Double) -> Double) -> [Double] { (0..<count).map { body(Double($0) * frame) } }

    @Test(arguments: sources) func `audio timed by its samples is correct`(said: [Double]) {
        #expect(wrong(said: said).isEmpty)
    }

    @Test(arguments: sources.dropLast()) func `a frame or half of them 17 ms late is found`(said: [Double]) {
        #expect(wrong(said: said) { $0 == 120 ? 0.017 : 0 }.count == 1)
        #expect(wrong(said: said) { $0 >= 120 ? 0.017 : 0 }.count >= 80)
        #expect(wrong(said: said) { $0 >= 120 ? -0.017 : 0 }.count >= 80)
    }

    @Test func `a gap is not rounding`() {
        let said = (0..<Self.count).map { Double($0) * Self.frame + ($0 >= 100 ? 0.5 : 0) }
        #expect(wrong(said: said).count == 100)
        #expect(wrong(said: said) { $0 >= 100 ? 0.5 : 0 }.isEmpty)
        var due = DueTimes()
        let ranges = said.compactMap { due.add($0, length: Self.frame) }
        #expect(ranges.allSatisfy { $0.upperBound - $0.lowerBound < 1e-9 })
    }

    @Test func `frames without a timestamp follow those before`() {
        var due = DueTimes()
        #expect(due.add(nil, length: 1) == nil)
        #expect(due.add(3, length: 1) == 3...3)
        #expect(due.add(nil, length: 1) == 4...4)
        #expect(due.add(5.01, length: 1)?.upperBound == 5.01)
    }

    /// Timestamps that contradict the samples at one position: the start, as after a cut, or the middle, by less and by
    /// more than a gap, forward and back.
    private static let steps: [(frame: Int, seconds: Double)] = [
        (1, 0.0587), (1, 0.2), (100, 0.0587), (100, 0.5), (199, 0.3), (100, -0.03), (1, -0.02),
    ]

    /// The excess shift of late audio with its timestamps.
    private func excess(_ step: (frame: Int, seconds: Double), late: Double) -> Double? {
        var due = DueTimes()
        let measured = (0..<Self.count).compactMap { number -> TimeOffsets.Measured? in
            let said = Double(number) * Self.frame + (number >= step.frame ? step.seconds : 0)
            guard let right = due.add(said, length: Self.frame) else { return nil }
            return TimeOffsets.Measured(delivered: said + 10 + late, said: said, due: right)
        }
        return TimeOffsets(measured, plan: plan, allowed: 0.001).excess(0, over: 10)
    }

    @Test(arguments: [0, 0.0008, -0.0008]) func `a shift that suits every frame is no excess`(late: Double) throws {
        var due = DueTimes()
        let measured = Self.stamped { $0 == 0 ? 0 : $0 + late }.enumerated().compactMap {
            number,
            said -> TimeOffsets.Measured? in
            guard let right = due.add(said, length: Self.frame) else { return nil }
            return TimeOffsets.Measured(delivered: Double(number) * Self.frame + 10, said: said, due: right)
        }
        let offsets = TimeOffsets(measured, plan: plan, allowed: 0.001)
        #expect(abs(try #require(offsets.sections[0]) - (10 - late)) < 1e-9)
        #expect(try #require(offsets.excess(0, over: 10)) == 0)
    }

    @Test(arguments: steps, [0, 0.017, -0.017])
    func `one contradiction does not hide a constant delay`(
        step: (frame: Int, seconds: Double),
        late: Double
    ) throws {
        #expect(abs(try #require(excess(step, late: late)) - late) < 1e-9)
    }

    @Test func `after a step back, audio catches up by half a frame each time`() {
        var due = DueTimes()
        for number in 0..<10 { _ = due.add(Double(number), length: 1) }
        let back = (0..<8).compactMap { due.add(10 - 0.9 + Double($0), length: 1) }
        let expected = [9.1...9.5, 10.1...10.1]
        #expect(zip(back, expected).allSatisfy { abs($0.upperBound - $1.upperBound) < 1e-9 })
        #expect(abs((back.last?.lowerBound ?? 0) - 16.1) < 1e-9)
        #expect(abs((back.last?.upperBound ?? 0) - 16.1) < 1e-9)
    }

    @Test func `an outlier may be ignored, a lasting jump must be followed`() {
        let stray = (0..<Self.count).map { Double($0) * Self.frame + ($0 == 77 ? 100 : 0) }
        #expect(wrong(said: stray).isEmpty)
        let jump = (0..<Self.count).map { Double($0) * Self.frame + ($0 >= 50 ? 100 : 0) }
        #expect(wrong(said: jump) { $0 >= 50 ? 100 : 0 }.isEmpty)
        #expect(wrong(said: jump).count == 50)
    }

    @Test func `timestamps that keep drifting or start elsewhere are ignored`() {
        let tells = { (jumps: [Double], before: Int) in
            SourceTimeline.tellsTimes(jumps: jumps, frames: Self.count, beforeJump: before)
        }
        // A hundredth of the speed; the first frame ten seconds later than all others.
        #expect(!tells([Double](repeating: -0.0258, count: Self.count - 1), 1))
        #expect(!tells([-10, 0.006], 1))
        // None; rounding; one or several cuts; a gap; a restart in the middle.
        #expect(tells([], Self.count))
        #expect(tells((0..<Self.count).map { $0.isMultiple(of: 2) ? 0.02 : -0.02 }, 1))
        #expect(tells([0.0587], 1))
        #expect(tells([0.05, 0.05, 0.05], 40))
        #expect(tells([0.5, 3, 0.2], 1))
        #expect(tells([-100], 100))
    }
}
