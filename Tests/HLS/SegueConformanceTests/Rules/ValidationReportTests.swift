import Foundation
import SegueBase
import Testing

@testable import SegueConformance

@Suite struct `Reports of a validation` {
    private func finding(_ rule: String, _ url: String, _ message: Message) throws -> BrokenRule {
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
                try finding("ts-one-program", "http://h/a/2.ts", "two programs"),
                try finding("ts-one-program", "http://h/b/3.ts", "two programs"),
            ],
            waivers: waivers,
            extent: ValidationReport.Extent(playlists: 1, segments: 3, bytes: 42)
        )
    }

    @Test func `violations come first, the summary last`() throws {
        #expect(
            try report().text == """
                must fix:
                  ts-one-program (R3.2, B3.1.1): two programs; http://h/a/2.ts, line 3
                    and 1 more: http://h/b/3.ts, line 3
                    requirement: a transport stream contains exactly one program (RFC 8216 3.2, MUST; \
                rfc8216bis 3.1.1, MUST)
                    fix: remove the other programs

                should fix:
                  coding-continues (R4.3.2.3, B4.4.4.3): other parameters; http://h/a/1.ts, line 3
                    requirement: a change of coding parameters follows #EXT-X-DISCONTINUITY (RFC 8216 4.3.2.3, SHOULD; \
                rfc8216bis 4.4.4.3, SHOULD)
                    fix: add #EXT-X-DISCONTINUITY where the encoder restarts or an advertisement begins

                a.m3u8: 1 playlist, 3 segments, 42 bytes: 1 must fix, 1 should fix

                """
        )
    }

    @Test func `waived findings are listed with their reason and do not count`() throws {
        let report = try report(waivers: [
            Waiver(rule: "ts-one-program", place: "/a/", reason: "known"), Waiver(rule: "ts-packets", reason: "never"),
        ])
        #expect(report.found.map(\.places[0].url) == ["http://h/a/1.ts", "http://h/b/3.ts"])
        #expect(report.waived.map(\.waiver.reason) == ["known"])
        #expect(report.unused.map(\.rule) == ["ts-packets"])
        let line = "ts-one-program (R3.2, B3.1.1): two programs; http://h/a/2.ts, line 3; known"
        #expect(report.text.contains("waived:\n  \(line)\n"))
        #expect(report.text.contains("waivers that match no finding:\n  ts-packets; never\n"))
        #expect(report.text.hasSuffix(": 1 must fix, 1 should fix, 1 waived\n"))
    }

    @Test func `programs get the same values`() throws {
        let report = try report(waivers: [Waiver(rule: "ts-one-program", place: "/a/", reason: "known")])
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report.document))
        let document = try #require(json as? [String: Any])
        let summary = try #require(document["summary"] as? [String: Int])
        let counts = ["mustFix": 1, "shouldFix": 1, "advice": 0, "waived": 1, "appleMustFix": 0, "appleShouldFix": 0]
        #expect(summary == counts.merging(["playlists": 1, "segments": 3, "bytes": 42]) { $1 })
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.map { $0["waived"] as? Bool } == [false, false, true])
        #expect(findings.map { $0["reason"] as? String } == [nil, nil, "known"])
    }

    @Test func `rules of an excluded document are counted apart`() throws {
        let findings = [
            try finding("duration-bound", "http://h/a/1.ts", "it measures 9 s"),
            try finding("sliver", "http://h/a/2.ts", "it measures 0.01 s"),
        ]
        func report(_ profile: Profile) -> ValidationReport {
            ValidationReport(
                place: "a.m3u8",
                findings: findings,
                profile: profile,
                waivers: [],
                extent: ValidationReport.Extent(playlists: 1, segments: 2, bytes: 3)
            )
        }
        #expect(report(.apple).found.map(\.severity) == [.must, .advice])
        #expect(report(.rfc).found.map(\.severity) == [.advice])
        #expect(report(.apple).holds(.must) && !report(.rfc).holds(.should))
        let text = report(.rfc).text
        #expect(text.hasSuffix(": 0 must fix, 0 should fix, 1 advice, 1 must and 0 should fix for Apple only\n"))
        #expect(
            text.contains(
                "not counted (--profile apple counts them):\n  duration-bound (A7.7): it measures 9 s; http://h/a/1.ts, line 3\n"
            )
        )
        #expect(report(.rfc).document.uncounted.map(\.rule) == ["duration-bound"])
        #expect(report(.apple).uncounted.isEmpty)
    }

    @Test func `findings that differ in numbers only are grouped, with their places`() throws {
        let findings = try (0..<9).map {
            try finding("uri-resolves", "http://h/\($0).ts", "answered with \(400 + $0 / 8)")
        }
        let others = [
            try finding("uri-resolves", "http://h/9.ts", "no answer"),
            // The number is in a name, such as that of a codec.
            try finding("uri-resolves", "http://h/10.ts", "answered with \("403")"),
        ]
        let groups = FindingGroup.groups(findings + others)
        #expect(groups.map(\.places.count) == [9, 1, 1])
        let report = ValidationReport(
            place: "a.m3u8",
            findings: findings,
            waivers: [],
            extent: ValidationReport.Extent(playlists: 1, segments: 9, bytes: 0)
        )
        #expect(
            report.text.contains(
                "answered with 400; http://h/0.ts, line 3\n    and 8 more: http://h/1.ts, line 3; "
                    + "http://h/2.ts, line 3; http://h/3.ts, line 3; …\n"
            )
        )
    }

    @Test func `each clause of a rule names its document`() {
        for rule in Validator.rules {
            #expect(!rule.clauses.isEmpty && rule.severity() != nil, "\(rule.id)")
            for clause in rule.clauses where clause.text != .own {
                #expect(clause.section.contains(/^[0-9A-Z][0-9A-Za-z.\-]*$/), "\(rule.id): \(clause)")
            }
            #expect(rule.clauses.allSatisfy { ($0.text == .own) == ($0.severity == .advice) }, "\(rule.id)")
        }
    }
}
