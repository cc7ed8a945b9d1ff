import Conformance
import LiveWatch
import Testing
import Timeline

@Suite struct FindingLogTests {
    @Test func `all is counted, and the first hundred of a rule and a playlist are kept`() {
        var log = FindingLog()
        for number in 0..<250 {
            for url in ["a", "b"] {
                let broken = BrokenRule(rule: LiveRules.news, place: Place(url: url), message: "late by \(number)")
                log.add(LiveFinding(at: .zero, broken: broken))
            }
        }
        #expect(log.counts == ["live-news": 500])
        #expect(log.kept.count == 200)
        #expect(log.kept.last?.broken.message == "late by 99")
    }
}
