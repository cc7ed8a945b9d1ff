internal import Foundation
import SegueBase
import Testing

@Suite struct `Event loop` {
    @Test func `orders by time, then priority, then scheduling`() {
        let loop = EventLoop<String>(pace: .virtual)
        loop.schedule("late", at: Instant(seconds: 2))
        loop.schedule("settled", at: Instant(seconds: 1), priority: .settled)
        loop.schedule("first", at: Instant(seconds: 1))
        loop.schedule("second", at: Instant(seconds: 1))
        loop.schedule("arrival", at: Instant(seconds: 1), priority: .arrival)
        var seen: [String] = []
        #expect(loop.run { payload, _ in seen.append(payload) } == .idle)
        #expect(seen == ["arrival", "first", "second", "settled", "late"])
        #expect(loop.now == Instant(seconds: 2))
    }

    @Test func `a cancelled event does not happen`() {
        let loop = EventLoop<Int>(pace: .virtual)
        let token = loop.schedule(1, at: Instant(seconds: 1))
        loop.schedule(2, at: Instant(seconds: 2))
        loop.cancel(token)
        var seen: [Int] = []
        _ = loop.run { payload, _ in seen.append(payload) }
        #expect(seen == [2])
    }

    @Test func `stops at a limit and continues from there`() {
        let loop = EventLoop<Int>(pace: .virtual)
        for second in 1...3 { loop.schedule(second, at: Instant(seconds: Double(second))) }
        var seen: [Int] = []
        #expect(loop.run(until: Instant(seconds: 2)) { payload, _ in seen.append(payload) } == .limit)
        #expect(seen == [1, 2])
        #expect(loop.run { payload, _ in seen.append(payload) } == .idle)
        #expect(seen == [1, 2, 3])
    }

    @Test(arguments: [EventLoop<Int>.Pace.virtual, .real(scale: 1)])
    func `waits for outside work before time advances`(pace: EventLoop<Int>.Pace) {
        let loop = EventLoop<Int>(pace: pace)
        let mailbox = loop.mailbox
        mailbox.beginExpecting()
        if pace == .virtual { loop.schedule(2, at: Instant(seconds: 3600)) }
        Thread {
            mailbox.post(1)
            mailbox.endExpecting()
        }.start()
        var seen: [Int] = []
        #expect(loop.run { payload, _ in seen.append(payload) } == .idle)
        #expect(seen == (pace == .virtual ? [1, 2] : [1]))
    }

    @Test func `a scaled loop reaches an hour in a fraction of real time`() {
        let loop = EventLoop<Int>(pace: .real(scale: 1_000_000))
        loop.schedule(1, at: Instant(seconds: 3600))
        var at = Instant.zero
        #expect(loop.run { _, now in at = now } == .idle)
        #expect(at >= Instant(seconds: 3600))
    }
}
