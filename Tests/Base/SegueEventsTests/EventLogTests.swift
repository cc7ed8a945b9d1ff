import SegueBase
import SegueEvents
import Testing

@Suite struct `Event log` {
    private let kinds: [EventKind] = [
        .itemReadyToPlay(item: "movie \"1\"\n\u{1}", duration: 12.5),
        .bufferEmpty(item: "a", isEmpty: true),
        .errorLogEntry(item: "a", url: "http://h/", status: 404, domain: "http", code: -1, comment: "gone"),
        .finding(rule: "r", message: "m"),
        .soundBegan(item: "a", position: 3),
    ]

    @Test func `round-trips every kind of event`() throws {
        var log = EventLog()
        for (index, kind) in kinds.enumerated() { log.append(kind, at: Instant(nanoseconds: Int64(index) * 1_500_000)) }
        #expect(try EventLog(jsonLines: log.jsonLines).events == log.events)
    }

    @Test func `a line has time, source, kind, and level before the fields`() {
        let event = Event(at: Instant(seconds: 1.25), .itemReadyToPlay(item: "a", duration: 0.1))
        #expect(
            event.jsonLine
                == #"{"t":1.25,"source":"player","kind":"item.readyToPlay","level":"notice","item":"a","duration":0.1}"#
        )
    }

    @Test(arguments: [
        #"{"t":1,"kind":"item.unheardOf"}"#, #"{"t":1,"kind":"item.loading"}"#,
        #"{"t":1,"kind":"item.loading","item":3}"#,
        #"{"kind":"item.loading","item":"a"}"#, "nonsense",
    ])
    func `rejects an invalid line with its number`(line: String) throws {
        let good = Event(at: .zero, .itemLoading(item: "a")).jsonLine
        let error = try #require(throws: EventLogError.self) { try EventLog(jsonLines: good + "\n" + line) }
        #expect(error.line == 2)
    }

    @Test(arguments: [(0.1 + 0.2, "0.3"), (-0.0000004, "0"), (-1.5, "-1.5"), (12, "12"), (1e-6, "0.000001")])
    func `writes numbers with at most six decimals`(value: Double, text: String) {
        let event = Event(at: .zero, .soundBegan(item: "a", position: value))
        #expect(event.jsonLine.hasSuffix("\"position\":\(text)}"))
    }
}
