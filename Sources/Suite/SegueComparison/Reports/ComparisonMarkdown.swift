internal import SegueBase

/// The comparison as Markdown for a comment on a change: causes first, with their cases folded.
package enum ComparisonMarkdown {
    /// The maximum number of causes of a kind, and of cases of a cause.
    private static let causes = 20
    private static let cases = 50

    /// The maximum number of characters: the limit of comments on GitHub and GitLab, minus a margin.
    static let most = 60_000

    package static func text(_ runs: ComparedRuns) -> String {
        var text = "## \(runs.comparison.isWorse ? "❌" : "✅") segue: \(runs.sum)\n\n"
        text += "\(line("before", runs.old))  \n\(line("now", runs.new))\n"
        var isCut = false
        for (title, changes) in runs.sections {
            let causes = ChangeCause.of(changes)
            var section =
                "\n### \(title.prefix(1).uppercased() + title.dropFirst()) (\(causes.reduce(0) { $0 + $1.changes.count }))\n\n"
            for cause in causes.prefix(Self.causes) { section += entry(cause) }
            if causes.count > Self.causes { section += "\n… and \(causes.count - Self.causes) more causes\n" }
            guard text.count + section.count <= most else {
                isCut = true
                continue
            }
            text += section
        }
        if isCut { text += "\n… truncated; `segue compare` prints the rest.\n" }
        return text
    }

    private static func line(_ word: String, _ side: ComparedRuns.Side) -> String {
        let job = side.facts.job.flatMap { isAddress($0) ? " ([job](<\($0)>))" : nil } ?? ""
        return "\(word): \(escaped(side.words))\(job)"
    }

    private static func entry(_ cause: ChangeCause) -> String {
        let head = "**\(escaped(cause.title))**<br>\(escaped(cause.reach))"
        guard cause.changes.count > 1 else { return "- \(head)\n" }
        var entry = "- \(head)\n  <details><summary>\(cause.changes.count) cases</summary>\n\n"
        entry += "  | title | case | |\n  |---|---|---|\n"
        for change in cause.changes.prefix(cases) {
            let cells = [change.name.file, change.name.circumstances, change.words(beside: cause)].map(escaped)
            entry += "  | " + cells.joined(separator: " | ") + " |\n"
        }
        if cause.changes.count > cases { entry += "  | … and \(cause.changes.count - cases) more | | |\n" }
        return entry + "\n  </details>\n"
    }

    private static func isAddress(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "<" && $0 != ">" && $0.value < 0x7F }
    }

    /// Text in one line, escaped for Markdown and HTML, that mentions nobody.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in ControlCharacters.shown(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // An @ before a name would mention a person, and a # before a number would link an issue.
            case "@": escaped += "&#64;"
            case "#": escaped += "&#35;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "!": escaped += "\\\(scalar)"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
