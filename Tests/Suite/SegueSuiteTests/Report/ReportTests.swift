internal import Foundation
internal import FoundationXML
import SegueBase
import SegueCharts
import SegueComparison
import Testing

@testable import SegueSuite

@Suite struct `Suite report` {
    private var cases: [CaseResult] {
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
        return [passing, skipped, failing]
    }

    private func report(_ stories: [RunTimeline?] = [nil, nil, nil]) throws -> SuiteReport {
        let outcomes = zip(cases, stories).map { CaseOutcome($0, story: $1) }
        return SuiteReport(try CaseOutcomes(outcomes), wallSeconds: 3)
    }

    private func json() throws -> Data {
        var json = Data()
        try report().writeJSON { json += $0 }
        return json
    }

    @Test func `adds the cases up`() throws {
        let summary = try report().summary
        let counts: [Int] = [summary.files, summary.cases, summary.passed, summary.failed, summary.skipped]
        #expect(counts == [2, 3, 1, 1, 1])
        #expect(summary.playedSeconds == 90)
    }

    @Test func `the JSON has the contract's keys, null where a metric does not apply`() throws {
        let object = try #require(try JSONSerialization.jsonObject(with: json()) as? [String: Any])
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

    @Test func `the JSON equals a single encoding of everything`() throws {
        struct Whole: Encodable {
            let schema = 1
            let summary: SuiteReport.Summary
            let cases: [CaseResult]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let whole = try encoder.encode(Whole(summary: report().summary, cases: cases))
        #expect(String(decoding: try json(), as: UTF8.self) == String(decoding: whole, as: UTF8.self) + "\n")
    }

    @Test func `the totals do not depend on the order of completion`() throws {
        let parts = [0.1, 0.7, 1e9, 0.3].map { seconds in
            var result = cases[0]
            result.metrics.heardSeconds = seconds
            return CaseOutcome(result, steps: 1, stepsSeconds: seconds)
        }
        let tallies = try [[0, 1, 2, 3], [3, 1, 0, 2]].map { order in
            var outcomes = try CaseOutcomes(files: parts.count)
            for index in order { try outcomes.keep(of: index) { try $0.add(parts[index]) } }
            return outcomes.tally
        }
        #expect(tallies[0] == tallies[1])
    }

    @Test func `any number of outcomes is returned unchanged`() throws {
        let kept = (0..<3000).map { number in
            var result = cases[number % 3]
            result.name.file = "file \(number / 10)"
            return CaseOutcome(result, steps: number)
        }
        let outcomes = try CaseOutcomes(kept)
        var told: [CaseOutcome] = []
        try outcomes.each { told.append($0) }
        #expect(told == kept)
        var files: [Int] = []
        try outcomes.eachFile { files.append($0.count) }
        #expect(files == Array(repeating: 10, count: 300))
        #expect(outcomes.tally.summary.files == 300 && outcomes.tally.summary.cases == 3000)
    }

    @Test func `the JUnit report is XML for any names`() throws {
        var xml = ""
        try JUnitReport.write(report()) { xml += $0 }
        let parser = XMLParser(data: Data(xml.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(xml.contains(#"failures="1""#))
        #expect(xml.components(separatedBy: "<testsuite ").count == 3)
    }

    @Test func `a JUnit case has its place, start, duration, and first failure`() throws {
        var failed = CaseOutcome(cases[2])
        failed.result.name.file = "news"
        failed.result.findings = [
            Finding(rule: "source-damaged", message: "one frame"), Finding(rule: "stall", message: "of <3> s", at: 7),
        ]
        failed.cost = CaseCost(began: 1_795_372_800.75, wallSeconds: 2.25, processorSeconds: 1)
        func lines(_ wall: Double?) throws -> [String] {
            var xml = ""
            let places = ["news": SourcePlace(path: "lists/titles & more.yaml", line: 12)]
            let outcomes = try CaseOutcomes([failed])
            var report = SuiteReport(outcomes, wallSeconds: wall)
            report.places = places
            try JUnitReport.write(report) { xml += $0 }
            return xml.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        }
        let place = #"file="lists/titles &amp; more.yaml" line="12""#
        let suite = #"<testsuite name="news" tests="1" failures="1" skipped="0""#
        let test = #"<testcase name="s on p over n with a, seed 1" classname="news" \#(place)"#
        let failure =
            #"><failure message="stall: of &lt;3&gt; s (and 1 more)" type="stall">source-damaged: one frame&#10;stall: "#
            + "of &lt;3&gt; s</failure></testcase>"
        let times = #" time="2.25" timestamp="2026-11-22T18:40:00""#
        #expect(try lines(3)[2] == "\(suite)\(times) \(place)>")
        #expect(try lines(3)[3] == test + times + failure)
        #expect(try lines(nil)[2] == "\(suite) \(place)>")
        #expect(try lines(nil)[3] == test + failure)
    }

    @Test(arguments: [40, 60, 80]) func `a table is cut to the terminal so that verdicts stay visible`(
        columns: Int
    ) throws {
        var table = ""
        try SuiteTable.write(report(), look: ProgressText.Look(columns: columns)) { table += $0 }
        let lines = table.split(separator: "\n").prefix { $0.contains("  ") }
        #expect(lines.allSatisfy { $0.count <= columns })
        #expect(
            columns < 60
                || lines.dropFirst().allSatisfy {
                    $0.contains("pass") || $0.contains("fail") || $0.contains("skip") || $0.contains("known")
                        || $0.contains("broken")
                },
            "\(table)"
        )
    }

    @Test func `the table has a line for each case and shows control characters`() throws {
        var table = ""
        try SuiteTable.write(report()) { table += $0 }
        let lines = table.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[3].contains(#"\u{000A}"#) || lines[3].contains(#"\n"#))
    }

    @Test func `the time of steps is separate from the server's`() throws {
        let outcomes = cases.prefix(2).enumerated().map { index, result in
            CaseOutcome(result, steps: 100 + index, stepsSeconds: 0.25 * Double(index + 1), servingSeconds: 2.5)
        }
        let line = "201 steps took 0.75 s, at most 0.5 s a case; the server took 5 s for its responses."
        #expect(SuiteTable.line(of: try CaseOutcomes(outcomes).tally.steps) == line)
        #expect(SuiteTable.line(of: try CaseOutcomes([CaseOutcome(cases[1])]).tally.steps).isEmpty)
    }

    private func name(_ file: String) -> CaseName {
        CaseName(file: file, scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
    }
}
