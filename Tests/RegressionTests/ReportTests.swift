import Events
internal import Foundation
internal import FoundationXML
import Regression
import Story
import Testing
import Timeline

@Suite struct `Suite report` {
    private var report: SuiteReport {
        var metrics = CaseMetrics()
        metrics.heardSeconds = 90
        metrics.background = "continues"
        let failing = CaseResult(
            name: name("b <&> \"c\"\n.mp4"),
            verdict: .fail,
            findings: [Finding(rule: "r", message: "went\nwrong", at: 1.5)],
            metrics: CaseMetrics()
        )
        let passing = CaseResult(name: name("a.mp4"), verdict: .pass, findings: [], metrics: metrics)
        let skipped = CaseResult(
            name: name("a.mp4"),
            verdict: .skip,
            findings: [Finding(rule: "needs", message: "sound")]
        )
        return SuiteReport(cases: [passing, skipped, failing], wallSeconds: 3)
    }

    @Test func `adds the cases up`() {
        let summary = report.summary
        let counts: [Int] = [summary.files, summary.cases, summary.passed, summary.failed, summary.skipped]
        #expect(counts == [2, 3, 1, 1, 1])
        #expect(summary.playedSeconds == 90)
    }

    @Test func `the JSON has the contract's keys, null where a metric does not apply`() throws {
        let object = try #require(try JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
        #expect(object["schema"] as? Int == 1)
        let cases = try #require(object["cases"] as? [[String: Any]])
        let metrics = try #require(cases[2]["metrics"] as? [String: Any])
        #expect(metrics["background"] is NSNull)
        #expect(cases[2]["verdict"] as? String == "fail")
        #expect(
            Set(cases[0].keys) == [
                "file", "scenario", "network", "platform", "app", "seed", "verdict", "findings", "metrics",
            ]
        )
        let summary = try #require(object["summary"] as? [String: Any])
        #expect(
            Set(summary.keys)
                == ["files", "cases", "passed", "failed", "known", "skipped", "wallSeconds", "playedSeconds"]
        )
    }

    @Test func `the JUnit report is XML whatever the names hold`() throws {
        let xml = JUnitReport.xml(report)
        let parser = XMLParser(data: Data(xml.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(xml.contains(#"failures="1""#))
    }

    @Test func `the table has a line for each case and names control characters`() {
        let lines = SuiteTable.text(report).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[3].contains(#"\u{000A}"#) || lines[3].contains(#"\n"#))
    }

    @Test func `the steps' own time is told apart from the server's`() {
        let outcomes = report.cases.prefix(2).enumerated().map { index, result in
            CaseOutcome(result, steps: 100 + index, stepsSeconds: 0.25 * Double(index + 1), servingSeconds: 2.5)
        }
        let line = "201 steps took 0.75 s, at most 0.5 s a case; the server took 5 s to make its answers."
        #expect(SuiteTable.steps(of: outcomes) == line)
        #expect(SuiteTable.steps(of: [CaseOutcome(report.cases[1])]).isEmpty)
    }

    @Test func `the page shows the pictures of the cases that ran`() throws {
        var log = EventLog()
        log.append(.soundBegan(item: "item 1", position: 0), at: .zero)
        log.append(.itemFailed(item: "item 2", domain: "d", code: 1, message: "<refused>"), at: Instant(seconds: 2))
        log.append(.soundEnded(item: "item 1", position: 3, reason: "paused"), at: Instant(seconds: 3))
        let story = RunStory(log: log)
        let html = try ReportPage.html(report, stories: [story, nil, nil])
        #expect(html.components(separatedBy: "<svg").count == 2)
        #expect(html.contains("&lt;refused&gt;"))
        #expect(!html.contains("<refused>"))
    }

    private func name(_ file: String) -> CaseName {
        CaseName(file: file, scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
    }
}
