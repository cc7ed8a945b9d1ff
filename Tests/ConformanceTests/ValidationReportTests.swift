import Foundation
import Testing

@testable import Conformance

@Suite struct `Reports of a validation` {
    private func finding(_ rule: String, _ url: String, _ message: String) throws -> BrokenRule {
        BrokenRule(
            rule: try #require(Validator.rules.first { $0.id == rule }),
            place: Place(url: url, line: 3),
            message: message
        )
    }

    private func report(waivers: [Waiver] = []) throws -> ValidationReport {
        ValidationReport(
            place: "a.m3u8",
            findings: [
                try finding("coding-continues", "http://h/a/1.ts", "other parameters"),
                try finding("ts-tables", "http://h/a/2.ts", "late tables"),
                try finding("ts-tables", "http://h/b/3.ts", "late tables"),
            ],
            waivers: waivers,
            playlists: 1,
            segments: 3,
            bytes: 42
        )
    }

    @Test func `what must be fixed comes first, and the last line sums up`() throws {
        #expect(
            try report().text == """
                must fix:
                  ts-tables (R3.2, B3.1.1): late tables; http://h/a/2.ts, line 3
                  ts-tables (R3.2, B3.1.1): late tables; http://h/b/3.ts, line 3

                should fix:
                  coding-continues (R4.3.2.3, A8.13): other parameters; http://h/a/1.ts, line 3

                a.m3u8: 1 playlist, 3 segments, 42 bytes: 2 must fix, 1 should fix

                """
        )
    }

    @Test func `what a waiver covers is listed with its reason and does not count`() throws {
        let report = try report(waivers: [
            Waiver(rule: "ts-tables", place: "/a/", reason: "known"), Waiver(rule: "ts-packets", reason: "never"),
        ])
        #expect(report.counted.map(\.place.url) == ["http://h/a/1.ts", "http://h/b/3.ts"])
        #expect(report.waived.map(\.waiver.reason) == ["known"])
        #expect(report.unused.map(\.rule) == ["ts-packets"])
        let line = "ts-tables (R3.2, B3.1.1): late tables; http://h/a/2.ts, line 3; known"
        #expect(report.text.contains("waived:\n  \(line)\n"))
        #expect(report.text.contains("waivers that cover nothing:\n  ts-packets; never\n"))
        #expect(report.text.hasSuffix(": 1 must fix, 1 should fix, 1 waived\n"))
    }

    @Test func `programs are told the same`() throws {
        let report = try report(waivers: [Waiver(rule: "ts-tables", place: "/a/", reason: "known")])
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report.document))
        let document = try #require(json as? [String: Any])
        let summary = try #require(document["summary"] as? [String: Int])
        #expect(summary == ["playlists": 1, "segments": 3, "bytes": 42, "mustFix": 1, "shouldFix": 1, "waived": 1])
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.map { $0["waived"] as? Bool } == [false, false, true])
        #expect(findings.map { $0["reason"] as? String } == [nil, nil, "known"])
    }
}
