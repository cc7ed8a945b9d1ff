extension RuleCatalogue {
    /// The tables as Markdown.
    package static var markdown: String {
        let rules = Dictionary(Self.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return sections.map { section in
            let rows = section.demands.flatMap { demand in
                demand.rules.compactMap { rules[$0] }.map { rule in
                    "| `\(rule.id)` | \(words(rule)) | \(rule.demand) | \(demand.text) |\n"
                }
            }
            return """
                ### \(section.title)

                | rule | clause and its word | demands that | stands for |
                |---|---|---|---|

                """ + rows.joined()
        }.joined(separator: "\n")
    }

    /// The clauses with what each says, in short.
    private static func words(_ rule: Rule) -> String {
        rule.clauses.map { clause in
            clause.text == .own ? "own: advice" : "\(clause) \(clause.severity == .must ? "must" : "should")"
        }.joined(separator: ", ")
    }
}
