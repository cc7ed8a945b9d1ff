internal import Foundation
import SegueBase
import SegueComparison
import SegueSuite
import Testing

@Suite struct `Reports for code hosts` {
    private static func result(
        _ file: String,
        over network: String,
        _ verdict: Verdict,
        _ findings: (rule: String, message: Message, issue: String?)...
    ) -> CaseOutcome {
        let name = CaseName(file: file, scenario: "switch", network: network, platform: "ios", app: "app", seed: 1)
        let found = findings.map { rule, message, issue in
            var finding = Finding(rule: rule, message: message)
            finding.known = issue
            return finding
        }
        return CaseOutcome(CaseResult(name: name, verdict: verdict, findings: found))
    }

    /// A title that fails in two cases with one cause and is a known issue in a third, a film with a note, broken
    /// once, and a title without a list.
    private func report() throws -> SuiteReport {
        let outcomes = [
            Self.result("news", over: "3g", .fail, ("no-gap", "silent for \(4) s", nil), ("no-error", "refused", nil)),
            Self.result("news", over: "edge", .fail, ("no-gap", "silent for \(7.5) s", nil)),
            Self.result("news", over: "wifi", .known, ("no-error", "refused,\r100 %: \"no\"", "the CDN's")),
            Self.result("a ü#.mp4", over: "3g", .pass, ("source-damaged", "one frame", nil)),
            Self.result("a ü#.mp4", over: "edge", .broken, ("not-run", "disk full", nil)),
            Self.result("a ü#.mp4", over: "wifi", .skip, ("needs", "sound", nil)),
            Self.result("https://cdn.example:8080/x.m3u8", over: "3g", .fail, ("no-error", "a,\r100 %\nb", nil)),
        ]
        var report = SuiteReport(try CaseOutcomes(outcomes), wallSeconds: nil)
        report.places = [
            "news": SourcePlace(path: "./titles.yaml", line: 12), "a ü#.mp4": SourcePlace(path: "/m/a ü#.mp4"),
        ]
        report.abouts = ["no-gap": "Nobody hears a gap."]
        return report
    }

    private func run() throws -> [String: Any] {
        var json = Data()
        try SARIFReport.write(report()) { json += $0 }
        let log = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        return try #require((log["runs"] as? [[String: Any]])?.first)
    }

    @Test func `SARIF has a result for each cause of a title, with its number of cases`() throws {
        let results = try #require(try run()["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["no-gap", "no-error", "source-damaged", "no-error"])
        #expect(results.map { $0["level"] as? String } == ["error", "error", "note", "error"])
        #expect(results.map { $0["occurrenceCount"] as? Int } == [2, 1, 1, 1])
        let text = (results[0]["message"] as? [String: String])?["text"]
        #expect(text == "silent for 4…7.5 s (2 cases: news · 3g, edge · ios · switch · app)")
        let suppressions = results.map { ($0["suppressions"] as? [[String: String]])?.first?["justification"] }
        #expect(suppressions == [nil, "known issue: the CDN's", nil, nil])
        let prints = results.compactMap { ($0["partialFingerprints"] as? [String: String])?["cause/v1"] }
        #expect(Set(prints).count == 4)
    }

    @Test func `SARIF points at a line of a list or at a file, by URIs that are relative or files`() throws {
        let results = try #require(try run()["results"] as? [[String: Any]])
        let places = results.compactMap { result in
            (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
        }
        let uris = places.map { ($0["artifactLocation"] as? [String: String])?["uri"] }
        let web = "cdn.example%3A8080/x.m3u8"
        #expect(uris == ["titles.yaml", "titles.yaml", "file:///m/a%20%C3%BC%23.mp4", web])
        #expect(places.map { ($0["region"] as? [String: Int])?["startLine"] } == [12, 12, 1, 1])
    }

    @Test func `SARIF describes each rule, and marks an incomplete run`()
        throws
    {
        let run = try run()
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.map { $0["id"] as? String } == ["no-gap", "no-error", "source-damaged"])
        let abouts = rules.map { ($0["shortDescription"] as? [String: String])?["text"] }
        #expect(abouts == ["Nobody hears a gap.", "no-error", "source-damaged"])
        let indices = try #require(run["results"] as? [[String: Any]]).map { $0["ruleIndex"] as? Int }
        #expect(indices == [0, 1, 2, 1])
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 1)
    }

    @Test func `annotations are one escaped line per cause`()
        throws
    {
        var text = ""
        try Annotations.write(report()) { text += $0 }
        #expect(
            text == """
                ::error file=./titles.yaml,line=12,title=no-gap in 2 cases::silent for 4…7.5 s \
                (2 cases: news · 3g, edge · ios · switch · app)
                ::error file=https%3A//cdn.example%3A8080/x.m3u8,title=no-error::a,%0D100 %25%0Ab \
                (1 case: https://cdn.example:8080/x.m3u8 · 3g · ios · switch · app)
                ::warning file=/m/a ü#.mp4,title=not-run::disk full (1 case: a ü#.mp4 · edge · ios · switch · app)

                """
        )
    }

    @Test func `the number of annotations is limited, and the last counts the rest`() throws {
        let outcomes = (0..<14).map { number in
            Self.result("news", over: "3g", .fail, ("rule-\(Character(Unicode.Scalar(UInt8(97 + number))))", "x", nil))
        }
        var lines: [String] = []
        try Annotations.write(SuiteReport(try CaseOutcomes(outcomes), wallSeconds: nil)) { lines.append($0) }
        #expect(lines.count == 10)
        #expect(lines.last == "::error title=5 more causes::They affect 5 cases; see the report.\n")
    }
}
