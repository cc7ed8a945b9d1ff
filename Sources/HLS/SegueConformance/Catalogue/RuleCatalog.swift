/// The catalog of all rules, derived from their declarations.
package enum RuleCatalog {
    /// The rules of a single look, then those of live streams.
    package static var rules: [Rule] { Validator.rules + LiveRules.all }

    /// The rules of a section, in the order in which they are checked.
    package static func rules(in section: RuleSection) -> [Rule] { rules.filter { $0.section == section } }

    /// The catalog as Markdown tables, one for each section.
    package static var markdown: String {
        RuleSection.allCases.map { section in
            """
            ### \(section.rawValue)

            | rule | clause and severity | requirement | fix |
            |---|---|---|---|

            """ + rules(in: section).map(row).joined()
        }.joined(separator: "\n") + players
    }

    /// The known reactions of players to violations.
    private static var players: String {
        let rows = rules.compactMap { rule in
            rule.players.map { "| `\(rule.id)` | \($0.words) | \($0.source) |\n" }
        }
        return """

            ### Players

            | rule | reaction of players to a violation | source |
            |---|---|---|

            """ + rows.joined()
    }

    private static func row(_ rule: Rule) -> String {
        let clauses = rule.clauses.map { clause in
            clause.text == .own ? "own: advice" : "\(clause) \(clause.severity == .must ? "must" : "should")"
        }
        return "| `\(rule.id)` | \(clauses.joined(separator: ", ")) | \(rule.requirement) | \(rule.fix) |\n"
    }
}
