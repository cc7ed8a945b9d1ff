import Conformance
import Foundation

/// What a validation found, for people and for programs.
struct ValidationReport {
    let place: String
    let counted: [Finding]
    let waived: [Finding]
    let playlists: Int
    let segments: Int
    let bytes: Int

    init(place: String, findings: [Finding], waived: Set<String>, playlists: Int, segments: Int, bytes: Int) {
        self.place = place
        counted = findings.filter { !waived.contains($0.rule.id) }
        self.waived = findings.filter { waived.contains($0.rule.id) }
        (self.playlists, self.segments, self.bytes) = (playlists, segments, bytes)
    }

    /// One line a finding, grouped by severity, and a summary.
    var text: String {
        var lines: [String] = []
        for severity in Severity.allCases {
            lines += Self.section(severity.rawValue, counted.filter { $0.rule.severity == severity })
        }
        lines += Self.section("waived", waived)
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

    private static func section(_ title: String, _ findings: [Finding]) -> [String] {
        guard !findings.isEmpty else { return [] }
        return ["\(title):"]
            + findings.map { finding in
                "  \(finding.rule.id) (\(finding.rule.clause)): \(finding.message); \(finding.place)"
            } + [""]
    }

    /// The same as JSON.
    var document: Document {
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
            findings: counted.map { Document.Entry($0, isWaived: false) }
                + waived.map { Document.Entry($0, isWaived: true) }
        )
    }

    /// The report as JSON has it.
    struct Document: Encodable {
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

            init(_ finding: Finding, isWaived: Bool) {
                rule = finding.rule.id
                clause = finding.rule.clause
                severity = finding.rule.severity
                demand = finding.rule.demand
                place = finding.place
                message = finding.message
                waived = isWaived
            }
        }

        let schema: Int
        let playlist: String
        let summary: Summary
        let findings: [Entry]
    }
}
