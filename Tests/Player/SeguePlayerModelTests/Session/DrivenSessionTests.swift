import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

@Suite struct `A session behind a driver` {
    private static let items = [ItemAddress(full: "http://a/1.m3u8", background: "http://a/1.m3u8?background=1")]

    /// A session with events, at seconds after the beginning.
    private static func session(_ events: [(Double, EventKind)]) -> DrivenSession {
        var session = DrivenSession(items: items) { $0 == $1 }
        for (seconds, kind) in events { session.follow(Event(at: Instant(seconds: seconds), kind)) }
        return session
    }

    private static let begun: [(Double, EventKind)] = [
        (0, .queueInserted(item: "item-1", url: "http://a/1.m3u8")), (0, .queueCurrent(item: "item-1")),
        (0, .playerCommand(name: "play", item: "item-1")), (1, .itemReadyToPlay(item: "item-1", duration: 60)),
        (2, .playerTimeControl(status: "playing", waitingFor: "")), (2, .soundBegan(item: "item-1", position: 0)),
    ]

    @Test func `extrapolates the position between events`() {
        let session = Self.session(Self.begun)
        let now = Instant(seconds: 7)
        #expect(session.number(.position, at: now) == 5 && session.number(.heard, at: now) == 5)
        #expect(session.number(.duration, at: now) == 60 && session.number(.rate, at: now) == 1)
        #expect(session.instant(whenAt: .seconds(10), at: now) == Instant(seconds: 12))
        #expect(session.number(.position, at: Instant(seconds: 1000)) == 60)
        #expect(session.word(.status) == "readyToPlay" && session.word(.rendition) == "full")
        #expect(session.flag(.audible) == true && session.number(.buffered, at: now) == nil)
    }

    @Test func `follows the driver's reports between events`() {
        var session = Self.session(Self.begun)
        session.report(position: .seconds(4), rate: 2, buffered: .seconds(9), at: Instant(seconds: 7))
        #expect(session.number(.position, at: Instant(seconds: 8)) == 6)
        #expect(session.number(.buffered, at: Instant(seconds: 8)) == 9)
    }

    @Test func `measures start and stalls like the model`() {
        let stalled: [(Double, EventKind)] = [
            (5, .itemStalled(item: "item-1", position: 3)),
            (5, .soundEnded(item: "item-1", position: 3, reason: "stall")),
            (5, .playerTimeControl(status: "waiting", waitingFor: "toMinimizeStalls")),
        ]
        let waiting = Self.session(Self.begun + stalled)
        #expect(waiting.number(.position, at: Instant(seconds: 6)) == 3 && waiting.flag(.audible) == false)
        #expect(waiting.number(.stalls, at: Instant(seconds: 6)) == 1)
        let resumed = Self.session(Self.begun + stalled + [(9, .soundBegan(item: "item-1", position: 3))])
        #expect(resumed.metrics.startup == .seconds(2))
        #expect(resumed.metrics.stalls == 1 && resumed.metrics.stalled == .seconds(4))
    }

    @Test func `has a queue whose first item leaves when the next is current`() {
        let session = Self.session(
            Self.begun + [
                (2, .queueInserted(item: "item-2", url: "http://a/1.m3u8?background=1")),
                (9, .queueCurrent(item: "item-2")),
            ]
        )
        #expect(session.queue == [ItemID(2)] && session.lastRemoved == ItemID(1))
        #expect(session.word(.rendition) == "background" && session.word(.status) == "unknown")
        #expect(session.number(.position, at: Instant(seconds: 9)) == 0 && !session.isFinished)
        let ended = Self.session(Self.begun + [(62, .itemPlayedToEnd(item: "item-1"))])
        #expect(ended.isFinished && ended.number(.position, at: Instant(seconds: 70)) == 60)
    }

    @Test func `follows the app, and an item's failure`() {
        let away = Self.session(Self.begun + [(3, .platformLifecycle(phase: "didEnterBackground"))])
        #expect(away.isInBackground && !away.isInForeground)
        let failed = Self.session(
            Self.begun + [(3, .itemFailed(item: "item-1", domain: "HTTP", code: 404, message: "it is gone"))]
        )
        #expect(failed.isFailed && failed.word(.error) == "it is gone" && failed.number(.code, at: .zero) == 404)
        // A failure can be expected, but not its words.
        #expect(failed.isUnreported(Condition.WordSubject.error) && !away.isUnreported(Condition.WordSubject.error))
    }
}
