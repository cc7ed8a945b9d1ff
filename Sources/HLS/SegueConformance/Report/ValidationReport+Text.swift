internal import SegueBase

extension ValidationReport {
    /// The findings, most severe first, each with its requirement, its fix, and its other places, then a summary.
    package var text: String {
        var lines: [String] = []
        for severity in Severity.reportOrder {
            let groups = found.filter { $0.severity == severity }
            lines += Self.section(severity.rawValue, groups.flatMap(Self.lines))
        }
        lines += Self.section(
            "only in Apple's authoring specification, not counted (--profile apple counts them)",
            uncounted.map(Self.line)
        )
        lines += Self.section("waived", waived.map { Self.line($0.finding) + "; " + $0.waiver.reason })
        lines += Self.section("waivers that match no finding", unused.map { "\($0.rule); \($0.reason)" })
        lines += Self.section("not checked", leftOut)
        let figures = Severity.reportOrder.compactMap { severity -> String? in
            let count = found.count { $0.severity == severity }
            return severity == .advice && count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        let checked =
            "\(Self.count(extent.playlists, "playlist")), \(Self.count(extent.segments, "segment")), "
            + "\(extent.bytes) bytes"
        var left = waived.isEmpty ? "" : ", \(waived.count) waived"
        if !uncounted.isEmpty {
            let (must, should) = (uncounted.count { $0.severity == .must }, uncounted.count { $0.severity == .should })
            left += ", \(must) must and \(should) should fix for Apple only"
        }
        lines.append("\(place): \(checked): \(figures.joined(separator: ", "))\(left)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }

    private static func lines(_ group: FindingGroup) -> [String] {
        let rule = group.rule
        var lines = ["\(rule.id) (\(rule.clause)): \(group.message); \(group.places[0])"]
        if let more = group.morePlaces { lines.append("  " + more) }
        lines.append("  requirement: \(rule.requirement) (\(rule.clauses.map(\.words).joined(separator: "; ")))")
        if let players = rule.players { lines.append("  players: \(players.words) (\(players.source))") }
        lines.append("  fix: \(rule.fix)")
        return lines
    }

    private static func line(_ group: FindingGroup) -> String {
        let more = group.places.count > 1 ? ", and \(group.places.count - 1) more" : ""
        return line(group.first) + more
    }

    private static func line(_ finding: BrokenRule) -> String {
        "\(finding.rule.id) (\(finding.rule.clause)): \(finding.message); \(finding.place)"
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["\(title):"] + lines.map { "  " + $0 } + [""]
    }
}
