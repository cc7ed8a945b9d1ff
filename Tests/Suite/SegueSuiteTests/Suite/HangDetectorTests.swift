import SegueBase
import Testing

@testable import SegueSuite

@Suite struct `Hang detection` {
    /// Samples of a worker: seconds on the clock, processor time, and reported progress.
    private typealias Look = (seconds: Double, processor: Double, told: Int64)

    private func words(_ looks: [Look]) -> [String?] {
        var limits = FileLimits()
        (limits.busySeconds, limits.idleSeconds) = (10, 20)
        var standstill = HangDetector(limits: limits, toldAtStart: 7)
        return looks.map {
            standstill.words(on: HangDetector.Look(seconds: $0.seconds, processor: $0.processor, told: $0.told))?.text
        }
    }

    @Test func `a worker with progress may take any time`() {
        let looks = (1...1000).map { Look(Double($0) * 9, Double($0) * 9, 7 + Int64($0)) }
        #expect(words(looks).allSatisfy { $0 == nil })
    }

    @Test func `a worker without progress ends after the time limit since the last progress`() {
        let busy = words([(4, 4, 7), (9, 9, 8), (14, 14, 8), (19, 19, 8), (20, 19.5, 8)])
        #expect(busy == [nil, nil, nil, nil, "made no progress in 10 s of processor time"])
    }

    @Test func `a late sample counts progress before work`() {
        #expect(words([(1, 1, 7), (500, 400, 8), (501, 401, 8)]) == [nil, nil, nil])
    }

    @Test func `a worker without processor time is idle unless it reports progress`() {
        #expect(words([(1, 1, 7), (15, 1, 7), (22, 1, 7)]) == [nil, nil, "was idle for 20 s"])
        #expect(words([(1, 1, 7), (15, 1, 8), (34, 1, 8), (36, 1, 8)]) == [nil, nil, nil, "was idle for 20 s"])
    }

    @Test func `little processor time counts as work, but waking up to do nothing does not`() {
        let slow = (1...100).map { Look(Double($0) * 15, Double($0) * 0.16, 7 + Int64($0 / 50)) }
        #expect(words(slow).allSatisfy { $0 == nil })
        let waking = (1...30).map { Look(Double($0), Double($0) * 0.001, 7) }
        #expect(words(waking).contains("was idle for 20 s"))
    }
}
