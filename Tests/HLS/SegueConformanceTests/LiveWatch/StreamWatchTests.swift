import SegueBase
import SegueConformance
import SeguePlaylists
import Testing

@Suite struct StreamWatchTests {
    @Test(arguments: Stage.Kind.allCases)
    func `a good stream breaks nothing`(kind: Stage.Kind) {
        let (watch, findings, _) = Stage(kind: kind).watch(for: 400)
        #expect(findings == [])
        #expect(watch.figures.segments > 90)
        #expect(watch.figures.stalls == 0)
        #expect(watch.figures.latency.map { $0 > 15 && $0 < 30 } ?? false)
    }

    @Test(arguments: Fault.all.indices)
    func `a violation of a rule breaks that rule only`(index: Int) {
        let fault = Fault.all[index]
        let found = Set(fault.stage.watch(for: fault.seconds).findings.map(\.broken.rule.id))
        #expect(found.contains(fault.rule), "\(fault.rule): \(found)")
        #expect(found.subtracting(fault.also) == [fault.rule])
    }

    @Test func `each rule has a test that breaks it`() {
        #expect(Set(LiveRules.all.map(\.id)).subtracting(Fault.all.map(\.rule)) == [])
    }

    @Test func `a stalled stream is reported with the length of its stall`() {
        var stage = Stage(kind: .plain)
        stage.made = { min($0, 50) + 400.5 }
        let (watch, findings, _) = stage.watch(for: 130)
        let news = findings.filter { $0.broken.rule == LiveRules.news }
        #expect(news.map { ($0.at.seconds / 10).rounded() } == [6, 6, 8, 11])
        let ages = news.compactMap(\.broken.comparison?.measured)
        #expect(ages.count == news.count && ages == ages.sorted() && ages.last ?? 0 > ages.first ?? 0)
        #expect(watch.figures.staleSeconds > 75)
        // The stall begins at the end of the listed segments, and is reported at the end of the watch.
        #expect(findings.last?.broken.rule == LiveRules.stall)
        #expect(watch.figures.stalls == 1 && watch.figures.stallSeconds > 60)
    }

    @Test func `a slow response is not compared with later ones`() {
        var stage = Stage(kind: .pair)
        stage.change = { exchange in
            guard exchange.playlist != nil, exchange.url.hasSuffix("b.m3u8") else { return }
            exchange.playlist = Stage(kind: .pair).playlist("b", media: exchange.at + 396.5)
            exchange.delay = 4.3
        }
        #expect(Set(stage.watch().findings.map(\.broken.rule.id)) == ["live-slow"])
    }

    @Test func `the same responses give the same findings`() {
        for fault in Fault.all {
            let first = fault.stage.watch(for: fault.seconds)
            var second = StreamWatch(fault.stage.url, clock: Stage.clock, options: fault.stage.options)
            let findings = first.answers.flatMap { fault.stage.findings(of: $0, by: &second) } + second.finish()
            #expect(findings == first.findings)
            #expect(second.figures == first.watch.figures)
        }
    }
}
