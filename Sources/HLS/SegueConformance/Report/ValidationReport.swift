/// What a validation found, for people and for programs.
package struct ValidationReport: Sendable {
    /// The playlist, as it was named.
    package let place: String
    /// What was found, but for what is waived: one for each cause.
    package let found: [FindingGroup]
    /// What does not count, each with the waiver that covers it.
    package let waived: [(finding: BrokenRule, waiver: Waiver)]
    /// Those that cover nothing.
    package let unused: [Waiver]
    /// What was not looked at, and why, in sentences.
    package let leftOut: [String]
    private let playlists: Int
    private let segments: Int
    private let bytes: Int

    /// A report.
    ///
    /// - Parameters:
    ///   - place: The playlist, as it was named.
    ///   - findings: What was found.
    ///   - profile: The texts whose demands count; what none of them demands is left out.
    ///   - waivers: What does not count; of several that cover a finding, the first is named.
    ///   - playlists: How many playlists were looked into.
    ///   - segments: How many segments were.
    ///   - bytes: How many bytes all of that was.
    ///   - leftOut: What was not looked at, and why.
    package init(
        place: String,
        findings: [BrokenRule],
        profile: Profile = .all,
        waivers: [Waiver],
        playlists: Int,
        segments: Int,
        bytes: Int,
        leftOut: [String] = []
    ) {
        (self.place, self.leftOut) = (place, leftOut)
        let judged = findings.filter { $0.rule.severity(in: profile) != nil }
            .map { finding in (finding, waivers.first { $0.covers(finding) }) }
        found = FindingGroup.groups(judged.filter { $0.1 == nil }.map(\.0), in: profile)
        waived = judged.compactMap { finding, waiver in waiver.map { (finding, $0) } }
        let used = Set(waived.map(\.waiver))
        unused = waivers.filter { !used.contains($0) }
        (self.playlists, self.segments, self.bytes) = (playlists, segments, bytes)
    }

    /// Whether something of a severity, or graver, was found.
    package func holds(_ severity: Severity) -> Bool { found.contains { $0.severity >= severity } }

    /// What was found, gravest first, each with what is demanded, where else it is so, and a summary.
    package var text: String {
        var lines: [String] = []
        for severity in Severity.told {
            let groups = found.filter { $0.severity == severity }
            lines += Self.section(severity.rawValue, groups.flatMap(Self.lines))
        }
        lines += Self.section("waived", waived.map { Self.line($0.finding) + "; " + $0.waiver.reason })
        lines += Self.section("waivers that cover nothing", unused.map { "\($0.rule); \($0.reason)" })
        lines += Self.section("not looked at", leftOut)
        let figures = Severity.told.compactMap { severity -> String? in
            let count = found.count { $0.severity == severity }
            // Advice counts for nothing, and is not told of where there is none.
            return severity == .advice && count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        let looked = "\(Self.count(playlists, "playlist")), \(Self.count(segments, "segment")), \(bytes) bytes"
        let left = waived.isEmpty ? "" : ", \(waived.count) waived"
        lines.append("\(place): \(looked): \(figures.joined(separator: ", "))\(left)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }

    /// How many further places are named.
    private static let shownPlaces = 3

    private static func lines(_ group: FindingGroup) -> [String] {
        let rule = group.rule
        var lines = ["\(rule.id) (\(rule.clause)): \(group.message); \(group.places[0])"]
        let more = group.places.dropFirst()
        if !more.isEmpty {
            let shown = more.prefix(shownPlaces).map { $0.description(besides: group.places[0]) }
            let rest = more.count - shown.count
            lines.append(
                "  so at \(count(more.count, "place")) more: " + shown.joined(separator: "; ")
                    + (rest > 0 ? "; and \(rest) further" : "")
            )
        }
        lines.append("  \(rule.demand): \(rule.clauses.map(\.words).joined(separator: "; "))")
        return lines
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
                mustFix: found.count { $0.severity == .must },
                shouldFix: found.count { $0.severity == .should },
                advice: found.count { $0.severity == .advice },
                waived: waived.count
            ),
            findings: found.map { Document.Entry($0) }
                + waived.map { Document.Entry($0.finding, reason: $0.waiver.reason) },
            unusedWaivers: unused.map { Document.Unused(rule: $0.rule, reason: $0.reason) },
            notLookedAt: leftOut
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
            let advice: Int
            let waived: Int
        }

        /// How many places of a finding are listed.
        private static let mostPlaces = 1000

        struct Entry: Encodable {
            let rule: String
            let clause: String
            let severity: Severity
            let demand: String
            /// The first place.
            let place: Place
            let message: String
            /// At how many places it is so.
            let count: Int
            /// The places, as many as are listed.
            let places: [Place]
            let waived: Bool
            /// Why it is waived; missing where it is not.
            let reason: String?

            init(_ group: FindingGroup) {
                rule = group.rule.id
                clause = group.rule.clause
                severity = group.severity
                demand = group.rule.demand
                place = group.places[0]
                message = group.message
                count = group.places.count
                places = Array(group.places.prefix(Document.mostPlaces))
                waived = false
                reason = nil
            }

            init(_ finding: BrokenRule, reason: String) {
                rule = finding.rule.id
                clause = finding.rule.clause
                severity = finding.rule.severity() ?? .advice
                demand = finding.rule.demand
                place = finding.place
                message = finding.message
                count = 1
                places = [finding.place]
                waived = true
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
        let notLookedAt: [String]
    }
}
