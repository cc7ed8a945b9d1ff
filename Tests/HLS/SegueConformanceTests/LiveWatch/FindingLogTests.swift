import SegueBase
import SegueConformance
import Testing

@Suite struct FindingLogTests {
    @Test func `all findings are counted, and the first hundred of a rule and a playlist are kept`() {
        var log = FindingLog()
        for number in 0..<250 {
            for url in ["a", "b"] {
                let broken = BrokenRule(rule: LiveRules.news, place: Place(url: url), message: "late by \(number)")
                log.add(LiveFinding(at: .zero, broken: broken))
            }
        }
        #expect(log.counts == ["live-news": 500])
        #expect(log.kept.count == 200)
        #expect(log.kept.last?.broken.message.text == "late by 99")
    }

    @Test func `earlier findings are in the report of the watch`() {
        let playlist = Place(url: "http://h/index.m3u8")
        let rule = RuleCatalog.rules.first { $0.id == "live-date" }
        var log = FindingLog()
        log.add(LiveFinding(at: .zero, broken: BrokenRule(rule: LiveRules.news, place: playlist, message: "late")))
        let look = ValidationLook(
            findings: rule.map { [BrokenRule(rule: $0, place: playlist, message: "it has none")] } ?? [],
            extent: ValidationReport.Extent(playlists: 1, segments: 6, bytes: 700),
            leftOut: ["a segment"]
        )
        let watch = StreamWatch("http://h/index.m3u8", clock: 0)
        let (report, _) = log.report(of: watch, after: look)
        #expect(Set(report.found.map(\.rule.id)) == ["live-date", "live-news"])
        #expect(report.leftOut == ["a segment"])
        #expect(report.text.contains("6 segments, 700 bytes"))
        #expect(log.report(of: watch).report.found.map(\.rule.id) == ["live-news"])
    }
}
