package import Foundation

/// The clauses of RFC 8216, of the draft of its successor, and of Apple's authoring specification, with the rules that
/// check them.
///
/// The rows are data: `Harness/clauses` has a tab-separated file for each text.
package struct ClauseTable: Sendable {
    /// A requirement of one or more clauses.
    package struct Row: Sendable {
        /// The clauses: the text, the section, and the number of the requirement in that section; `form` for a
        /// definition without a word such as MUST.
        package let clauses: [String]
        /// `MUST`, `MUST NOT`, `SHOULD`, `SHOULD NOT`, or `FORM` for a definition.
        package let word: String
        /// The IDs of the rules that check at least a part of the requirement.
        package let rules: [String]
        /// The reason why no rule can check it; nil if one can.
        package let reason: String?
        package let demand: String

        fileprivate init?(_ line: Substring) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 4 else { return nil }
            (clauses, word, demand) = (cells[0].split(separator: " ").map(String.init), cells[1], cells[3])
            reason = cells[2].hasPrefix("no: ") ? String(cells[2].dropFirst(4)) : nil
            rules = reason == nil && cells[2] != "-" ? cells[2].split(separator: " ").map(String.init) : []
        }

        /// The texts and sections, such as `R4.3.2.1`.
        package var sections: [String] {
            clauses.map { clause in clause.lastIndex(of: "-").map { String(clause[..<$0]) } ?? clause }
        }

        fileprivate var checked: String {
            if let reason { return "not visible: \(reason)" }
            return rules.isEmpty ? "not done" : rules.map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    /// The requirements of one text that the texts before it do not have.
    package struct Part: Sendable {
        package let title: String
        package let rows: [Row]
    }

    /// A line that is not four tab-separated cells.
    package struct BadLine: Error, CustomStringConvertible {
        package let description: String
    }

    package let parts: [Part]

    /// Reads the table.
    ///
    /// - Parameter folder: The folder of the files, `Harness/clauses`.
    /// - Throws: ``BadLine``, or an error of Foundation if a file cannot be read.
    package init(folder: URL) throws {
        let files = [
            ("rfc8216", "RFC 8216, with the same requirements of the other texts"),
            ("rfc8216bis", "Further requirements of rfc8216bis"),
            ("apple", "Further requirements of Apple's authoring specification"),
        ]
        parts = try files.map { name, title in
            let file = folder.appending(path: name + ".tsv")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated().dropFirst()
            let rows = try lines.map { index, line in
                guard let row = Row(line) else {
                    throw BadLine(
                        description: "\(file.path), line \(index + 1): expected four cells separated by tabs: "
                            + "clauses, word, rules, demand"
                    )
                }
                return row
            }
            return Part(title: title, rows: rows)
        }
    }

    /// The table with its totals as Markdown, the text of `docs/clauses.md`.
    package var markdown: String {
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
                    "| \(row.clauses.joined(separator: " ")) | \(row.word) | \(row.checked) | \(row.demand) |\n"
                }.joined()
        }
        return """
            # The clauses

            This page lists the requirements of the texts, clause by clause, with the rules of `segue validate` that check
            them. `segue rules --clauses` prints it from the files in `Harness/clauses`. R is RFC 8216, B
            draft-pantos-hls-rfc8216bis-22, A Apple's HLS authoring specification of 2025-06-26; the number after the
            hyphen counts the requirements of a section. Clauses with the same requirement share a row. FORM marks a
            definition without a word such as MUST. A requirement counts as covered if a rule finds at least some of its
            violations. Requirements that bind only players are not visible.

            | text | requirements | covered | not visible | not done |
            |---|---|---|---|---|

            """ + figures.joined() + tables.joined()
    }
}
