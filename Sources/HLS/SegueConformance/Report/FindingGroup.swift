package import SegueBase

/// Findings with one cause: the same rule, broken in the same way at one or more places.
package struct FindingGroup: Sendable {
    /// The first finding.
    package let first: BrokenRule

    /// The severity by the texts of the profile.
    package let severity: Severity

    /// The places in the order of discovery; at least one.
    package private(set) var places: [Place]

    package var rule: Rule { first.rule }

    /// The message of the first finding.
    package var message: Message { first.message }

    /// The maximum number of places in a text after the first one.
    private static let shownPlaces = 3

    /// The other places in one phrase, such as `and 5 more: line 9; line 11; line 13; …`; nil if there are none.
    package var morePlaces: String? {
        let more = places.dropFirst()
        guard !more.isEmpty else { return nil }
        let shown = more.prefix(Self.shownPlaces).map { $0.description(besides: places[0]) }
        let rest = more.count > shown.count ? "; …" : ""
        return "and \(more.count) more: \(shown.joined(separator: "; "))\(rest)"
    }

    /// Groups findings by cause.
    ///
    /// Each group has the position of its first finding.
    ///
    /// Messages of one shape have the same cause.
    ///
    /// - Parameters:
    ///   - profile: The texts that count; findings that none of them requires are left out.
    /// - Returns: The groups.
    package static func groups(_ findings: [BrokenRule], in profile: Profile = .all) -> [FindingGroup] {
        struct Cause: Hashable {
            let rule: String
            let shape: String
        }
        var groups: [FindingGroup] = []
        var known: [Cause: Int] = [:]
        var seen: [Set<Place>] = []
        for finding in findings {
            guard let severity = finding.rule.severity(in: profile) else { continue }
            let cause = Cause(rule: finding.rule.id, shape: finding.message.shape)
            if let index = known[cause] {
                // Two checks may report the same place.
                if seen[index].insert(finding.place).inserted { groups[index].places.append(finding.place) }
            } else {
                known[cause] = groups.count
                seen.append([finding.place])
                groups.append(FindingGroup(first: finding, severity: severity, places: [finding.place]))
            }
        }
        return groups
    }
}
