/// What a validation found, for people and for programs.
package struct ValidationReport: Sendable {
    /// The playlist, as it was named.
    package let place: String
    /// What counts.
    package let counted: [BrokenRule]
    /// What does not count, each with the waiver that covers it.
    package let waived: [(finding: BrokenRule, waiver: Waiver)]
    /// Those that cover nothing.
    package let unused: [Waiver]
    private let playlists: Int
    private let segments: Int
    private let bytes: Int

    /// A report.
    ///
    /// - Parameters:
    ///   - place: The playlist, as it was named.
    ///   - findings: What was found.
    ///   - waivers: What does not count; of several that cover a finding, the first is named.
    ///   - playlists: How many playlists were looked into.
    ///   - segments: How many segments were.
    ///   - bytes: How many bytes all of that was.
    package init(place: String, findings: [BrokenRule], waivers: [Waiver], playlists: Int, segments: Int, bytes: Int) {
        self.place = place
        let judged = findings.map { finding in (finding, waivers.first { $0.covers(finding) }) }
        counted = judged.filter { $0.1 == nil }.map(\.0)
        waived = judged.compactMap { finding, waiver in waiver.map { (finding, $0) } }
        let used = Set(waived.map(\.waiver))
        unused = waivers.filter { !used.contains($0) }
        (self.playlists, self.segments, self.bytes) = (playlists, segments, bytes)
    }

    /// One line a finding, grouped by severity, and a summary.
    package var text: String {
        var lines: [String] = []
        for severity in Severity.allCases {
            lines += Self.section(severity.rawValue, counted.filter { $0.rule.severity == severity }.map(Self.line))
        }
        lines += Self.section("waived", waived.map { Self.line($0.finding) + "; " + $0.waiver.reason })
        lines += Self.section("waivers that cover nothing", unused.map { "\($0.rule); \($0.reason)" })
        let figures = Severity.allCases.map { severity in
            "\(counted.count { $0.rule.severity == severity }) \(severity.rawValue)"
        }
        let looked = "\(Self.count(playlists, "playlist")), \(Self.count(segments, "segment")), \(bytes) bytes"
        let left = waived.isEmpty ? "" : ", \(waived.count) waived"
        lines.append("\(place): \(looked): \(figures.joined(separator: ", "))\(left)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }

    private static func line(_ finding: BrokenRule) -> String {
        "\(finding.rule.id) (\(finding.rule.clause)): \(finding.message); \(finding.place)"
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["\(title):"] + lines.map { "  " + $0 } + [""]
    }

    /// The same as JSON.
    package var document: Document {
        Document(
            schema: 1,
            playlist: place,
            summary: Document.Summary(
                playlists: playlists,
                segments: segments,
                bytes: bytes,
                mustFix: counted.count { $0.rule.severity == .mustFix },
                shouldFix: counted.count { $0.rule.severity == .shouldFix },
                waived: waived.count
            ),
            findings: counted.map { Document.Entry($0, reason: nil) }
                + waived.map { Document.Entry($0.finding, reason: $0.waiver.reason) },
            unusedWaivers: unused.map { Document.Unused(rule: $0.rule, reason: $0.reason) }
        )
    }

    /// The report as JSON has it.
    package struct Document: Encodable, Sendable {
        struct Summary: Encodable {
            let playlists: Int
            let segments: Int
            let bytes: Int
            let mustFix: Int
            let shouldFix: Int
            let waived: Int
        }

        struct Entry: Encodable {
            let rule: String
            let clause: String
            let severity: Severity
            let demand: String
            let place: Place
            let message: String
            let waived: Bool
            /// Why it is waived; missing where it is not.
            let reason: String?

            init(_ finding: BrokenRule, reason: String?) {
                rule = finding.rule.id
                clause = finding.rule.clause
                severity = finding.rule.severity
                demand = finding.rule.demand
                place = finding.place
                message = finding.message
                waived = reason != nil
                self.reason = reason
            }
        }

        struct Unused: Encodable {
            let rule: String
            let reason: String
        }

        let schema: Int
        let playlist: String
        let summary: Summary
        let findings: [Entry]
        let unusedWaivers: [Unused]
    }
}
