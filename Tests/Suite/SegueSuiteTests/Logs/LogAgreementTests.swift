import SegueBase
import SegueEvents
import SegueSuite
import Testing

/// Two handwritten logs.
@Suite struct `Agreement of logs` {
    private static let story: [(Double, EventKind)] = [
        (0, .queueCurrent(item: "item-1")), (0.5, .itemReadyToPlay(item: "item-1", duration: 20)),
        (0.52, .bufferEmpty(item: "item-1", isEmpty: false)), (0.7, .soundBegan(item: "item-1", position: 0)),
        (10, .soundEnded(item: "item-1", position: 9.3, reason: "seek")),
        (12, .soundBegan(item: "item-1", position: 15)),
    ]

    private static func log(_ events: [(Double, EventKind)]) -> EventLog {
        var log = EventLog()
        for (seconds, kind) in events.sorted(by: { $0.0 < $1.0 }) { log.append(kind, at: Instant(seconds: seconds)) }
        return log
    }

    private func compare(_ change: (inout [(Double, EventKind)]) -> Void) -> LogAgreement {
        var other = Self.story
        change(&other)
        return LogAgreement(virtual: Self.log(Self.story), real: Self.log(other))
    }

    @Test func `the same log agrees with itself`() {
        let agreement = compare { _ in }
        #expect(agreement.differences == [])
        #expect(agreement.compared == 6)
        #expect(agreement.greatest == 0)
    }

    @Test func `times may differ by 100 ms or 5 %, and not by more`() {
        #expect(compare { $0[1].0 += 0.09 }.differences == [])
        #expect(compare { $0[5].0 += 0.59 }.differences == [])
        let words = compare { $0[3].0 += 0.11 }.differences.map(\.description)
        #expect(words == ["sound.began item-1: at 0.7 s in virtual time, 0.81 s in real time"])
        #expect(compare { $0[5].0 += 0.61 }.differences.count == 1)
    }

    @Test func `events that lie close together may swap`() {
        let agreement = compare { $0[2].0 = 0.49 }
        #expect(agreement.differences == [])
        #expect(agreement.swaps == 1)
    }

    @Test func `distant events may not swap`() {
        let agreement = compare { $0[4].0 = 12.5 }
        #expect(agreement.differences.contains(.order(first: "sound.ended item-1 seek", second: "sound.began item-1")))
    }

    @Test func `a missing or additional event is a difference`() {
        #expect(
            compare { $0.append((11, .itemStalled(item: "item-1", position: 9.3))) }.differences == [
                .count(event: "item.stalled item-1", virtual: 0, real: 1)
            ]
        )
        #expect(
            compare { $0.removeLast() }.differences == [.count(event: "sound.began item-1", virtual: 2, real: 1)]
        )
    }

    @Test func `transport events are ignored`() {
        let agreement = compare { $0.append((0.1, .requestBegan(request: 1, url: "http://a/b", resource: "playlist"))) }
        #expect(agreement.differences == [])
    }
}
