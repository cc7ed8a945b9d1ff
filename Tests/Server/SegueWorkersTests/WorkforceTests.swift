import Testing

@testable import SegueWorkers

@Suite struct `A workforce` {
    private typealias Instant = ContinuousClock.Instant

    private func force(_ count: Int) -> Workforce<Int> {
        var force = Workforce<Int>(count: count)
        for number in 0..<force.toStart(now: .now) { force.begin(number) }
        return force
    }

    @Test func `prefers a member with the file open, then the one idle the longest`() {
        var force = force(3)
        #expect(force.take(isLong: false) { $0 == 2 } == 2)
        let isKept = force.giveBack(2, wasLong: false)
        #expect(isKept)
        #expect(force.take(isLong: false) { _ in false } == 0)
        #expect(force.take(isLong: false) { $0 == 0 } == 1)
        #expect(force.busy == 2)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (8, 6)])
    func `reserves members for short work`(count: Int, long: Int) {
        var force = force(count)
        var taken = 0
        while force.take(isLong: true, { _ in false }) != nil { taken += 1 }
        #expect(taken == long)
        #expect((force.take(isLong: false) { _ in false } != nil) == (long < count))
    }

    @Test func `replaces a lost member at once`() {
        var force = force(2)
        _ = force.take(isLong: true) { _ in false }
        #expect(force.toStart(now: .now) == 0)
        force.leave(wasLong: true, isLost: true)
        #expect((force.lost, force.alive) == (1, 1))
        #expect(force.toStart(now: .now) == 1)
        #expect(force.toStart(now: .now) == 0)
        #expect(force.take(isLong: true) { _ in false } == nil || force.busy == 1)
    }

    @Test func `increases the delay with each failed start, and resets it after a successful one`() {
        var force = Workforce<Int>(count: 1)
        let start = Instant.now
        var pauses: [Duration] = []
        var now = start
        for _ in 0..<10 {
            #expect(force.toStart(now: now) == 1)
            let pause = force.fail(now: now)
            #expect(force.toStart(now: now + pause - .nanoseconds(1)) == 0)
            now += pause
            pauses.append(pause)
        }
        #expect(pauses.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        #expect(pauses.last == .seconds(30))
        #expect(force.toStart(now: now) == 1)
        force.begin(1)
        _ = force.take(isLong: false) { _ in false }
        force.leave(wasLong: false, isLost: true)
        #expect(force.toStart(now: now) == 1)
    }

    @Test func `has one substitute for each held member`() {
        var force = force(2)
        let first = force.take(isLong: false) { _ in false }
        force.hold()
        #expect(force.toStart(now: .now) == 1)
        force.begin(7)
        #expect(force.alive == 3)
        force.release()
        let isKept = force.giveBack(first ?? 0, wasLong: false)
        #expect(!isKept)
        #expect(force.alive == 2)
        for _ in 0..<100 { force.hold() }
        #expect(force.toStart(now: .now) == 16)
    }

    @Test func `grows with the queue up to its limit, and does not shrink`() {
        var force = Workforce<Int>(count: 4, ready: 2)
        #expect(force.toStart(now: .now) == 2)
        for number in 0..<2 { force.begin(number) }
        #expect(force.toStart(now: .now) == 0 && force.nextStart == nil)
        for _ in 0..<2 { _ = force.take(isLong: false) { _ in false } }
        #expect(force.toStart(now: .now) == 0)
        force.waiting = 1
        #expect(force.nextStart != nil && force.toStart(now: .now) == 1)
        force.waiting = 9
        #expect(force.toStart(now: .now) == 1)
        for number in 2..<4 { force.begin(number) }
        force.waiting = 0
        let isKept = (0..<2).map { force.giveBack($0, wasLong: false) }
        #expect(isKept == [true, true] && force.alive == 4)
    }

    @Test func `starts no members after a stop`() {
        var force = force(2)
        #expect(force.stop() == [0, 1])
        #expect(force.toStart(now: .now) == 0)
        #expect(force.alive == 0)
    }
}
