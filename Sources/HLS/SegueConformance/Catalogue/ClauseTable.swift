/// Every MUST, MUST NOT, SHOULD and SHOULD NOT of the texts, with the rules that check it, or why there are none.
package enum ClauseTable {
    /// A demand; clauses that demand the same share one.
    package struct Row: Sendable {
        /// The clauses: text and section, and which demand of that section it is; `form` where a text says what something
        /// looks like, without a word that demands it.
        package let clauses: [String]
        /// The word, `FORM` where there is none.
        package let word: String
        /// The rules that check it, at least in part.
        package let rules: [String]
        /// Why it cannot be seen from outside; nil where it can.
        package let reason: String?
        /// What is demanded, in short.
        package let words: String

        init(_ line: Substring) {
            let parts = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
            clauses = (parts.first ?? "").split(separator: " ").map(String.init)
            word = parts.count > 1 ? parts[1] : ""
            let cell = parts.count > 2 ? parts[2] : "-"
            reason = cell.hasPrefix("no: ") ? String(cell.dropFirst(4)) : nil
            rules = reason == nil && cell != "-" ? cell.split(separator: " ").map(String.init) : []
            words = parts.count > 3 ? parts[3] : ""
        }

        /// The texts and sections, such as `R4.3.2.1`.
        package var sections: [String] {
            clauses.map { clause in
                clause.lastIndex(of: "-").map { String(clause[..<$0]) } ?? clause
            }
        }

        fileprivate var checked: String {
            if let reason { return "not visible: \(reason)" }
            return rules.isEmpty ? "not done" : rules.map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    /// The demands of one text that no text before it has.
    package struct Part: Sendable {
        /// The text.
        package let title: String
        /// Its demands.
        package let rows: [Row]

        init(_ title: String, _ text: String) {
            (self.title, rows) = (title, text.split(separator: "\n").map(Row.init))
        }
    }

    /// The texts.
    package static let parts = [
        Part("RFC 8216, with what the others say alike", ofRFC),
        Part("What rfc8216bis says besides", ofDraft),
        Part("What Apple's authoring specification says besides", ofApple),
    ]

    /// The table as Markdown, with its numbers.
    package static var markdown: String {
        let figures = parts.map { part in
            let counts = [
                part.rows.count, part.rows.count { !$0.rules.isEmpty }, part.rows.count { $0.reason != nil },
                part.rows.count { $0.rules.isEmpty && $0.reason == nil },
            ]
            return "| \(part.title) | " + counts.map { "\($0)" }.joined(separator: " | ") + " |\n"
        }
        let tables = parts.map { part in
            "\n## \(part.title)\n\n| clause | word | checked by | demand |\n|---|---|---|---|\n"
                + part.rows.map { row in
                    "| \(row.clauses.joined(separator: " ")) | \(row.word) | \(row.checked) | \(row.words) |\n"
                }.joined()
        }
        return """
            # The clauses

            What the texts demand, clause by clause, and which rules of `segue validate` check it: `segue rules --clauses`
            prints this page. R is RFC 8216, B draft-pantos-hls-rfc8216bis-22, A Apple's HLS authoring specification of
            2025-06-26; behind the section stands which of its demands it is. Clauses that demand the same share a row. FORM
            is what a text gives the form of without one of the words. A demand counts as covered where some of what breaks
            it is found; what binds players alone cannot be seen.

            | text | demands | covered | not visible | not done |
            |---|---|---|---|---|

            """ + figures.joined() + tables.joined()
    }
}
