import SegueBase
import SegueEvents
import SegueSuite
import Testing

@Suite struct `Response delays` {
    /// A run with two requests, each answered after a number of milliseconds; the run's end depends on what follows
    /// them.
    private static func log(_ delays: [Double], end: Double) -> EventLog {
        var log = EventLog()
        log.append(.queueCurrent(item: "item-1"), at: .zero)
        for number in delays.indices {
            log.append(.requestBegan(request: number + 1, url: "http://h/\(number)", resource: ""), at: .zero)
        }
        for (number, delay) in delays.enumerated().sorted(by: { $0.element < $1.element }) {
            log.append(.requestAnswered(request: number + 1, status: 200), at: Instant(seconds: delay / 1000))
        }
        log.append(.itemPlayedToEnd(item: "item-1"), at: Instant(seconds: end))
        return log
    }

    /// Virtual time on a link of 100 ms: the end is at 9 s if the second response is later than the first by more than
    /// a threshold in milliseconds, otherwise at 5 s.
    private static func virtual(
        _ moment: AgreementJudgement.Moment?,
        think: Duration,
        threshold: Double
    ) -> EventLog {
        var counter = ResponseDelays.Counter()
        let delays = (0..<2).map { number in
            let request = counter.next("http://h/\(number)")
            let time = moment?.serverTime(for: request, think: think) ?? think
            return 100 + time / .milliseconds(1)
        }
        return log(delays, end: delays[1] - delays[0] > threshold ? 9 : 5)
    }

    private static func judge(
        real: EventLog,
        think: Duration = .microseconds(700),
        threshold: Double
    ) -> AgreementJudgement {
        AgreementJudgement(real: real, virtual: virtual(nil, think: think, threshold: threshold), think: think) {
            virtual($0, think: think, threshold: threshold)
        }
    }

    @Test func `a delay of a single request can be a threshold`() throws {
        let judgement = Self.judge(real: Self.log([100.6, 100.9], end: 9), threshold: 0.2)
        #expect(judgement.verdict == .threshold)
        let single = try #require(judgement.moment?.single)
        #expect(single[.init(url: "http://h/0", earlier: 0)] == .microseconds(-100))
        #expect(single[.init(url: "http://h/1", earlier: 0)] == .microseconds(200))
    }

    @Test func `reaction times are limited to a millisecond, and responses never precede requests`() {
        // A difference of 3 ms cannot result from 0.7 ms less for one and 1 ms more for the other.
        #expect(Self.judge(real: Self.log([100, 103], end: 9), threshold: 2).verdict == .differs)
        #expect(Self.judge(real: Self.log([100, 103], end: 9), threshold: 1.6).verdict == .threshold)
        let moment = AgreementJudgement.Moment(shift: .milliseconds(-3), lateness: .zero)
        #expect(moment.serverTime(for: .init(url: "", earlier: 0), think: .milliseconds(2)) == .zero)
    }

    @Test func `delays that explain nothing excuse nothing`() {
        #expect(Self.judge(real: Self.log([100.6, 100.9], end: 7), threshold: 0.2).verdict == .differs)
        #expect(Self.judge(real: Self.log([100.6, 100.7], end: 9), threshold: 0.2).verdict == .differs)
    }

    @Test func `requests of one URL are numbered, and one without a response has no delay`() {
        var log = EventLog()
        for number in 1...3 {
            let at = Instant(seconds: Double(number))
            log.append(.requestBegan(request: number, url: "http://h/a", resource: ""), at: at)
        }
        log.append(.requestAnswered(request: 3, status: 206), at: Instant(seconds: 5))
        log.append(.requestAnswered(request: 1, status: 206), at: Instant(seconds: 6))
        log.append(.requestAnswered(request: 8, status: 206), at: Instant(seconds: 7))
        #expect(
            ResponseDelays(log).times == [
                .init(url: "http://h/a", earlier: 2): .seconds(2), .init(url: "http://h/a", earlier: 0): .seconds(5),
            ]
        )
    }
}
