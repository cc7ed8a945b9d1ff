/// A requirement on playlists, segments, or their delivery.
///
/// A rule is declared once, beside the check that uses it. The catalog, the documentation, and the reports derive from
/// the declaration.
package struct Rule: Sendable, Hashable {
    /// The name for reports and waivers.
    package let id: String

    /// The part of the catalog that lists it.
    package let section: RuleSection

    /// The clauses that require it, one for each text.
    package let clauses: [Clause]

    /// One sentence without a full stop.
    package let requirement: String

    /// The usual remedy, as an imperative without a full stop.
    package let fix: String

    /// The known reactions of players; nil if none are known.
    package let players: PlayerRecord?

    // Size: one parameter for each part of a declaration.
    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - id: The name for reports and waivers.
    ///   - section: The part of the catalog that lists it.
    ///   - clauses: The clauses, separated by commas: `R` for RFC 8216, `B` for draft-pantos-hls-rfc8216bis, `A` for
    ///     Apple's authoring specification, `H` for RFC 9110, `M` for the specification of the media, or `own` for
    ///     advice of this project. A word after a clause, `must` or `should`, overrides the severity for that text.
    ///   - severity: The severity of the clauses without a word.
    ///   - requirement: One sentence without a full stop.
    ///   - fix: The usual remedy, as an imperative without a full stop.
    ///   - players: The known reactions of players.
    init(
        _ id: String,
        in section: RuleSection,
        clauses: String,
        _ severity: Severity,
        requires requirement: String,
        fix: String,
        players: PlayerRecord? = nil
    ) {
        (self.id, self.section, self.clauses) = (id, section, Clause.list(clauses, severity))
        (self.requirement, self.fix, self.players) = (requirement, fix, players)
    }

    /// The clauses in short, such as `R4.3.2.1, A8.1`.
    package var clause: String { clauses.map(\.description).joined(separator: ", ") }

    /// The severity by the texts of a profile; nil if none of them requires the rule.
    package func severity(in profile: Profile = .all) -> Severity? {
        clauses.filter { profile.includes($0.text) }.map { severity(of: $0, in: profile) }.max()
    }

    /// The severity of a clause: in the profile `rfc`, a media specification alone fails no check if no player does.
    private func severity(of clause: Clause, in profile: Profile) -> Severity {
        guard profile == .rfc, clause.text == .media, players?.breaksNone == true else { return clause.severity }
        return min(clause.severity, .should)
    }
}
