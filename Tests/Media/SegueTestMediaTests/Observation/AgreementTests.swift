import SegueBase
import SegueEvents
import SegueTestMedia
import Testing

@Suite struct `What a player said, held against a recording` {
    /// A video from 3 s of the recording on, with a stall of two seconds at position 4, and a seek from 6 to 20.
    private static let observation = Observation(
        of: Recording(
            duration: 20,
            frameInterval: 1.0 / 60,
            titles: [Recording.Title(name: "film", frameTimes: [])],
            showings: [],
            hearings: [
                Recording.Hearing(title: 0, first: 3, end: 7, source: 0),
                Recording.Hearing(title: 0, first: 9, end: 11, source: 4),
                Recording.Hearing(title: 0, first: 11.5, end: 14, source: 20),
            ]
        )
    )

    private func agreement(_ events: [(Double, EventKind)]) -> Agreement {
        let statements = Statement.all(of: events.map { Event(at: Instant(seconds: $0.0), $0.1) })
        return Agreement(of: statements, with: Self.observation)
    }

    @Test func `clocks are aligned by positions, and each difference is reported`() throws {
        let agreement = agreement([
            (1, .soundBegan(item: "a", position: 0)),
            (5.05, .soundEnded(item: "a", position: 4, reason: "stalled")),
            (5.05, .itemStalled(item: "a", position: 4)),
            (7, .soundBegan(item: "a", position: 4)),
            (9.3, .seekEnded(item: "a", position: 20, isFinished: true)),
        ])
        #expect(abs(try #require(agreement.clockOffset) - 2) < 0.001)
        let differences = agreement.statements.map { ($0.difference ?? .nan).rounded() }
        #expect(differences == [0, -50, -50, 0, 200])
        #expect(agreement.untrue.isEmpty)
    }

    @Test func `the clock offset is the median of the agreeing ones`() throws {
        let agreement = agreement([
            (1.03, .soundBegan(item: "a", position: 0)),
            (5.02, .soundEnded(item: "a", position: 4, reason: "stalled")),
            (7.01, .soundBegan(item: "a", position: 4)),
            (8.99, .soundEnded(item: "a", position: 6, reason: "seek")),
            (9.48, .soundBegan(item: "a", position: 20)),
        ])
        #expect(abs(try #require(agreement.clockOffset) - 1.99) < 0.001)
    }

    @Test func `a statement without an observation is reported`() {
        let agreement = agreement([
            (1, .soundBegan(item: "a", position: 0)),
            (5, .soundEnded(item: "a", position: 4, reason: "stalled")),
            (7, .soundBegan(item: "a", position: 4)),
            (8, .soundBegan(item: "a", position: 12)),
        ])
        #expect(agreement.untrue.map(\.position) == [12])
    }

    @Test func `a pause has no position and is matched by time`() {
        let agreement = agreement([
            (1, .soundBegan(item: "a", position: 0)),
            (1, .playerTimeControl(status: "playing", waitingFor: "")),
            (5.1, .playerTimeControl(status: "waiting", waitingFor: "media")),
            (15, .playerTimeControl(status: "playing", waitingFor: "")),
            (17, .playerTimeControl(status: "paused", waitingFor: "")),
        ])
        #expect(agreement.statements.map(\.observed) == [3, 3, 7, nil, nil])
    }

    @Test func `a player that is not playing makes no statements`() {
        let agreement = agreement([
            (0.5, .playerTimeControl(status: "paused", waitingFor: "")),
            (0.6, .playerTimeControl(status: "waiting", waitingFor: "media")),
            (1, .playerTimeControl(status: "playing", waitingFor: "")),
            (1, .soundBegan(item: "a", position: 0)),
            (5, .playerTimeControl(status: "waiting", waitingFor: "media")),
            (5.2, .playerTimeControl(status: "paused", waitingFor: "")),
        ])
        #expect(agreement.statements.map(\.observed) == [3, 3, 7])
    }

    @Test func `without a common position, nothing is claimed`() {
        let agreement = agreement([(1, .soundBegan(item: "a", position: 100))])
        #expect(agreement.clockOffset == nil)
        #expect(agreement.untrue.count == 1)
    }
}
