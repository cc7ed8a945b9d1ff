import Conformance
import HLS
import LiveWatch
import Testing
import Timeline

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
    func `what breaks a rule breaks that one alone`(index: Int) {
        let fault = Fault.all[index]
        let found = Set(fault.stage.watch().findings.map(\.broken.rule.id))
        #expect(found.contains(fault.rule), "\(fault.rule): \(found)")
        #expect(found.subtracting(fault.also) == [fault.rule])
    }

    @Test func `each rule has what breaks it`() {
        #expect(Set(LiveRules.all.map(\.id)).subtracting(Fault.all.map(\.rule)) == [])
    }

    @Test func `the same answers make the same findings`() {
        for fault in Fault.all {
            let first = fault.stage.watch()
            var second = StreamWatch(fault.stage.url, clock: Stage.clock)
            let findings = first.answers.flatMap { second.take($0).findings } + second.finish()
            #expect(findings == first.findings)
            #expect(second.figures == first.watch.figures)
        }
    }
}
