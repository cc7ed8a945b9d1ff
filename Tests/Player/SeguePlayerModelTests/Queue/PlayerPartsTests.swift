import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// The parts of a player's and a session's state.
@Suite struct `Parts of a player` {
    @Test(arguments: [(PlayGate.Arrival.followed, PlayGate.Arrival.queued), (.queued, .queued), (.inserted, .inserted)])
    func `a paused item no longer follows at the end of another`(arrival: PlayGate.Arrival, later: PlayGate.Arrival) {
        var gate = PlayGate()
        gate.close(for: arrival)
        gate.close()
        gate.request(ItemID(1))
        #expect(gate.requests == [PlayGate.Request(item: ItemID(1), arrival: later)])
    }

    @Test func `permission is requested once for an item, and only for the requested one`() {
        var gate = PlayGate()
        let (one, other) = (ItemID(1), ItemID(2))
        gate.close(for: .followed)
        gate.request(one)
        gate.request(one)
        #expect(gate.requests == [PlayGate.Request(item: one, arrival: .followed)])
        #expect(gate.wanted == one)
        let answer1 = gate.allow(other, from: .zero)
        #expect(!answer1)
        let later = Instant.zero + .seconds(2)
        let answer2 = gate.allow(one, from: later)
        #expect(answer2)
        #expect(!gate.allows(one, at: .zero))
        #expect(gate.allows(one, at: later))
        #expect(!gate.allows(other, at: later))
        #expect(gate.opening(after: .zero) == later)
        #expect(gate.opening(after: later) == nil)
    }

    @Test func `the rate reads as it was set, and a pause clears the reasons to wait`() {
        var drive = Drive()
        let answer3 = drive.set(rate: 1, at: .zero)
        #expect(answer3)
        let answer4 = drive.set(rate: 1, at: .zero + .seconds(1))
        #expect(!answer4)
        #expect(drive.wishedAt == .zero)
        drive.isStalling = true
        drive.gate.request(ItemID(1))
        let answer5 = drive.hold(reading: nil)
        #expect(!answer5)
        #expect(drive.isHeldByPlatform && drive.rate == 1)
        #expect(drive.gate.wanted == nil)
        let answer6 = drive.set(rate: 0, at: .zero)
        #expect(answer6)
        #expect(!drive.isHeldByPlatform && !drive.isStalling)
        #expect(drive.wishedAt == nil)
        let wanted = drive.wanted(of: nil, isRunning: false, waits: true, resumesWith: .zero, at: .zero)
        #expect(wanted == .paused)
    }

    @Test(
        arguments: [
            (0, 0, 14), (3, 0, 12), (1, 5, 18), (1, 1, 14), (nil, nil, 12),
        ] as [(Int?, Int?, Int)]
    )
    func `a seek lands at a segment boundary within its tolerances`(before: Int?, after: Int?, landing: Int) {
        let seek = ItemSeek(
            id: SeekID(number: 1),
            target: .seconds(14),
            before: before.map { .seconds($0) },
            after: after.map { .seconds($0) }
        )
        let lands = seek.landing(within: (.zero, .seconds(60))) { _ in (.seconds(12), .seconds(18)) }
        #expect(lands == .seconds(landing))
        #expect(seek.landing(within: (.zero, .seconds(10))) { _ in nil } == .seconds(10))
    }

    @Test func `a step context holds an item's logs while it is lent`() throws {
        var context = StepContext(settings: try Shipped.platform("desktop").loading)
        context.now = .zero + .seconds(3)
        var journal = ItemJournal()
        context.exchange(&journal, of: ItemID(7))
        context.note("http://a/i.m3u8") { $0.add(answerOf: 10, from: "a:80") }
        context.record(PlaybackError(.http, code: 404, "gone"), uri: "http://a/0.ts")
        context.exchange(&journal, of: ItemID(7))
        #expect(context.journal.access.isEmpty && context.journal.errors.isEmpty)
        #expect(journal.access.map(\.bytes) == [10])
        #expect(journal.errors.map(\.status) == [404])
        #expect(journal.errors.map(\.at) == [context.now])
        context.close(.end)
        #expect(journal.access.last?.reason == nil)
    }

    @Test func `a session has one timer, and the last one counts`() {
        var timer = SessionTimer()
        var effects: [SessionEffect] = []
        let soon = Instant.zero + .seconds(1)
        timer.plan(soon, at: .zero, &effects)
        timer.plan(soon, at: .zero, &effects)
        #expect(effects.count == 1)
        timer.plan(soon + .seconds(1), at: .zero, &effects)
        guard case .timer(let at, let token)? = effects.last else {
            Issue.record("no timer")
            return
        }
        #expect(at == soon + .seconds(1))
        #expect(effects.count == 3)
        let answer7 = timer.goesOff(token - 1)
        #expect(!answer7)
        let answer8 = timer.goesOff(token)
        #expect(answer8)
        let answer9 = timer.goesOff(token)
        #expect(!answer9)
    }

    @Test func `the result of a request is logged at its end`() {
        var traffic = SessionTraffic()
        let (one, other) = (FetchID(1), FetchID(2))
        for id in [one, other] { traffic.begin(id, at: .zero) }
        let answer10 = traffic.receive(.data(one, FetchBytes([1, 2, 3])), at: .zero)
        #expect(answer10 == nil)
        let answer11 = traffic.receive(.data(other, FetchBytes([1])), at: .zero)
        #expect(answer11 == nil)
        let end = Instant.zero + .seconds(2)
        let answer12 = traffic.receive(.finished(one), at: end)
        #expect(answer12 == .requestFinished(request: 1, bytes: 3, seconds: 2))
        let answer13 = traffic.cancel(other)
        #expect(answer13 == .requestCancelled(request: 2, bytes: 1))
        let answer14 = traffic.receive(.finished(other), at: end)
        #expect(answer14 == nil)
        #expect((traffic.bytes, traffic.underway) == (4, 0))
    }
}
