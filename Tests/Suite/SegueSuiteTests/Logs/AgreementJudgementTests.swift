import SegueBase
import SegueEvents
import SegueFetch
import SegueSuite
import Testing

/// Logs of a player that selects the higher variant above a think time, and then ends a second later.
@Suite struct `Comparison of virtual and real time` {
    private static func log(late: Double = 0, _ seconds: Double...) -> EventLog {
        var log = EventLog()
        log.append(.queueCurrent(item: "item-1"), at: .zero)
        for second in seconds { log.append(.itemPlayedToEnd(item: "item-1"), at: Instant(seconds: second + late)) }
        return log
    }

    /// Virtual time: the end is at 5 s if the server's think time is below a threshold, otherwise at 9 s.
    private static func virtual(_ think: Duration, threshold: Duration) -> EventLog {
        log(late: think.seconds, think < threshold ? 5 : 9)
    }

    private static func judge(real: EventLog, threshold: Duration, think: Duration = .milliseconds(2))
        -> AgreementJudgement
    {
        AgreementJudgement(real: real, virtual: virtual(think, threshold: threshold), think: think) {
            virtual(think + $0.shift, threshold: threshold)
        }
    }

    @Test func `a run that agrees is made once`() {
        let virtual = Self.log(5)
        let judgement = AgreementJudgement(real: Self.log(5.2), virtual: virtual, think: .zero) { _ in
            Issue.record("virtual time was asked again")
            return virtual
        }
        #expect(judgement.verdict == .agrees && judgement.moment == nil)
    }

    @Test(arguments: [(2.3, 0.3), (1.9, -0.12), (2.9, 0.9), (1.2, -0.9)])
    func `a difference caused by server timing is a threshold`(threshold: Double, shift: Double) {
        let real = Self.log(late: 0.004, threshold > 2 ? 9 : 5)
        let judgement = Self.judge(real: real, threshold: .microseconds(Int(threshold * 1000)))
        #expect(judgement.verdict == .threshold)
        #expect(judgement.moment?.shift == .microseconds(Int((shift * 1000).rounded())))
        #expect(!judgement.agreement.differences.isEmpty)
    }

    @Test func `a threshold further away excuses nothing`() {
        #expect(Self.judge(real: Self.log(9), threshold: .microseconds(3200)).verdict == .differs)
        #expect(Self.judge(real: Self.log(5), threshold: .microseconds(800)).verdict == .differs)
    }

    @Test func `a threshold excuses nothing but its own two sides`() {
        // Virtual time ends at 5 or at 9 s here, and never at 7.
        #expect(Self.judge(real: Self.log(7), threshold: .microseconds(2300)).verdict == .differs)
        #expect(Self.judge(real: Self.log(9, 10), threshold: .microseconds(2300)).verdict == .differs)
    }

    @Test func `a difference independent of server time is not a threshold`() {
        // Each run is a little closer to the real one, which lies at the edge of the bound.
        let judgement = AgreementJudgement(real: Self.log(5.2501), virtual: Self.log(5), think: .zero) {
            Self.log(5 + $0.shift.seconds)
        }
        #expect(judgement.verdict == .differs)
    }

    @Test func `a difference caused by a late timer is a threshold`() {
        let judgement = AgreementJudgement(real: Self.log(9), virtual: Self.log(5), think: .zero) {
            Self.log($0.lateness > .zero ? 9 : 5)
        }
        #expect(judgement.moment == AgreementJudgement.Moment(shift: .zero, lateness: .microseconds(250)))
    }

    @Test func `a threshold with two sides is found between them`() {
        let judgement = AgreementJudgement(real: Self.log(9), virtual: Self.log(5), think: .microseconds(200)) {
            Self.log((.microseconds(70)...(.microseconds(130))).contains($0.shift + .microseconds(200)) ? 9 : 5)
        }
        #expect(judgement.moment?.shift == .microseconds(-80))
    }

    @Test func `a server time is never negative`() {
        var asked: [Duration] = []
        _ = AgreementJudgement(real: Self.log(9), virtual: Self.log(5), think: .microseconds(150)) { moment in
            asked.append(.microseconds(150) + moment.shift)
            return Self.log(5)
        }
        #expect(asked.count == 42 && asked.allSatisfy { $0 >= .zero && $0 <= .microseconds(1150) })
    }

    @Test func `logs without an event to compare do not agree`() {
        #expect(
            AgreementJudgement(real: EventLog(), virtual: EventLog(), think: .zero) { _ in EventLog() }.verdict
                == .differs
        )
    }

    // MARK: Results of a case

    private static let item = AgreementOutcome.Case(number: 3, url: "http://h/a", network: "4g")

    private static func outcome(
        _ judgement: AgreementJudgement,
        findings: [String] = [],
        lateness: Duration = .microseconds(120)
    ) -> AgreementOutcome {
        AgreementOutcome(
            of: item,
            judgement,
            findings: findings,
            length: .seconds(11),
            lateness: (lateness, .milliseconds(30))
        )
    }

    @Test func `each verdict is shown with its figures`() {
        let agrees = Self.outcome(Self.judge(real: Self.log(5.05), threshold: .seconds(1)))
        #expect(agrees.text == "agrees    http://h/a 4g: 2 events in 11 s, at most 48 ms apart, 0 swapped\n")
        let threshold = Self.outcome(Self.judge(real: Self.log(9), threshold: .microseconds(2300)))
        let said = "; virtual time agrees if timers are 0.25 ms late and the server takes 0.3 ms more\n"
        #expect(threshold.text.hasPrefix("threshold http://h/a 4g: 2 events in 11 s, at most 3998 ms apart"))
        #expect(threshold.text.hasSuffix(said) && threshold.isGood)
        let differs = Self.outcome(Self.judge(real: Self.log(9), threshold: .seconds(1)))
        let lines = differs.text.split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].hasPrefix("DIFFERS   ")
                && lines[0].hasSuffix(" ms late (99 %), 30 ms once") && lines[1].contains("9 s in real time")
        )
        let failed = AgreementOutcome(of: Self.item, failure: "nobody answers")
        #expect(failed.text == "DIFFERS   http://h/a 4g: nobody answers\n")
        #expect(
            AgreementOutcome.summary(of: [agrees, threshold, differs, failed])
                == "1 of 4 cases agree, 1 on a threshold; the largest time difference is 48 ms."
        )
    }

    @Test func `two runs that fail alike prove nothing`() {
        let judgement = Self.judge(real: Self.log(5), threshold: .seconds(1))
        let outcome = Self.outcome(judgement, findings: ["in virtual time no-progress", "in real time no-progress"])
        #expect(judgement.verdict == .agrees && outcome.verdict == .differs && !outcome.isGood)
        #expect(outcome.text.contains("\n    in real time no-progress\n"))
    }

    @Test func `a difference is shown with the machine's lateness, which excuses nothing`() {
        let differs = Self.judge(real: Self.log(9), threshold: .seconds(1))
        let idle = Self.outcome(differs, lateness: .milliseconds(1)),
            busy = Self.outcome(differs, lateness: .microseconds(1260))
        #expect(!idle.isGood && idle.words.hasSuffix("; the proxy was up to 1 ms late (99 %), 30 ms once"))
        #expect(!busy.isGood && busy.words.hasSuffix("up to 1.26 ms late (99 %), 30 ms once: the machine was busy"))
        let agrees = Self.outcome(Self.judge(real: Self.log(5), threshold: .seconds(1)), lateness: .seconds(1))
        #expect(agrees.isGood && !agrees.words.contains("late"))
    }

    // MARK: Addresses

    @Test func `a URL is the same through the proxy and directly`() {
        let places = ServerAddresses(server: "127.0.0.1:80", proxy: "127.0.0.1:8080")
        #expect(places.throughProxy("http://127.0.0.1:80/a?b=1") == "http://127.0.0.1:8080/a?b=1")
        // Neither a port with the same beginning nor another server is replaced.
        for other in ["http://127.0.0.1:8081/a", "http://127.0.0.1:801/a", "http://other/a"] {
            #expect(places.throughProxy(other) == other)
        }
        var request = FetchRequest(
            id: FetchID(7),
            url: "http://127.0.0.1:8080/a",
            range: FetchRange(offset: 5, length: 6),
            headers: [(name: "x", value: "y")],
            patience: .seconds(3),
            limit: 9
        )
        request.isHead = true
        let direct = places.direct(request)
        #expect(direct.url == "http://127.0.0.1:80/a" && direct.range == request.range && direct.isHead)
        #expect(direct.id == request.id && direct.patience == request.patience && direct.limit == 9)
        #expect(direct.headers.map(\.value) == ["y"] && places.throughProxy(direct).url == request.url)
        let answer = FetchResponse(status: 206, headers: [], url: direct.url, serverAddress: "s", isLast: true)
        let moved = places.throughProxy(answer)
        #expect(moved.url == request.url && moved.status == 206 && moved.serverAddress == "s" && moved.isLast)
    }
}
