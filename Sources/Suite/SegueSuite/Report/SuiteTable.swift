internal import SegueBase
internal import SegueComparison
internal import SegueEvents

/// The report as a text table: file, case, verdict, and findings.
package enum SuiteTable {
    static let header = ["file", "case", "verdict", "findings"]

    /// Writes the table and its totals.
    ///
    /// `seen` is called with each case, which saves another pass. `write` receives one line at a time, with its line
    /// feed.
    ///
    /// - Throws: `Errno` if the outcomes cannot be read, or an error of `write`.
    package static func write(
        _ report: SuiteReport,
        look: ProgressText.Look = ProgressText.Look(),
        seen: (CaseResult) -> Void = { _ in },
        to write: (String) throws -> Void
    ) throws {
        let columns = widths(report.outcomes.tally.widths, in: look.columns)
        func line(_ cells: [String]) -> String {
            var line = ""
            for (cell, size) in zip(cells, columns) {
                let cell = cell.count > size ? TextColumns.cut(cell, to: size) : cell
                line += cell + String(repeating: " ", count: max(0, size - cell.count)) + "  "
            }
            line += cells[columns.count]
            while line.last == " " { line.removeLast() }
            return look.cut(line) + "\n"
        }
        try write(line(header))
        var requirements = RequirementTally()
        try report.outcomes.each { outcome in
            seen(outcome.result)
            requirements.add(outcome.result)
            try write(line(row(outcome.result)))
        }
        try write("\n" + sum(report.summary) + "\n")
        for line in lines(of: report.leftOut) { try write(line + "\n") }
        for line in requirements.lines { try write(look.cut(printable(line)) + "\n") }
    }

    /// The widths of the columns.
    ///
    /// Without room for all, files and cases are cut first, so that verdicts stay visible.
    private static func widths(_ widths: [Int], in room: Int?) -> [Int] {
        guard let room else { return widths }
        // Two spaces after each column, and the beginning of the findings.
        var over = widths.reduce(0) { $0 + $1 + 2 } + 24 - room
        return widths.enumerated().map { column, width in
            guard column < 2, over > 0 else { return width }
            let kept = max(min(width, 16), width - over)
            over -= width - kept
            return kept
        }
    }

    /// The totals in one line.
    package static func sum(_ summary: SuiteReport.Summary) -> String {
        var counts = [
            "\(summary.passed) passed", "\(summary.failed) failed", "\(summary.known) known",
            "\(summary.skipped) skipped",
        ]
        if summary.broken > 0 { counts.append("\(summary.broken) broken") }
        let files = "\(summary.files) file\(summary.files == 1 ? "" : "s")"
        let done = summary.planned.map { "\(summary.cases) of \($0)" } ?? "\(summary.cases)"
        let cases = "\(done) case\((summary.planned ?? summary.cases) == 1 ? "" : "s")"
        let heard = "\(files), \(cases): \(counts.joined(separator: ", ")). \(time(summary.playedSeconds)) heard"
        guard let wall = summary.wallSeconds else { return heard + "." }
        let rate = wall > 0 ? Int(summary.playedSeconds / wall) : 0
        let sum = "\(heard) in \(time(wall)) (\(rate) times real time)."
        guard summary.verifiedBefore > 0 else { return sum }
        let those = summary.verifiedBefore == 1 ? "1 case" : "\(summary.verifiedBefore) cases"
        return "\(sum) The content of \(those) was verified in an earlier run."
    }

    /// The cases that were left out, a line for all and one for each reason; empty without any.
    static func lines(of leftOut: [LeftOut]) -> [String] {
        guard !leftOut.isEmpty else { return [] }
        let count = leftOut.reduce(0) { $0 + $1.cases }
        let all = count == 1 ? "1 case was left out, since it" : "\(count) cases were left out, since they"
        return [all + " cannot be:"] + leftOut.map { printable("  \($0.cases): \($0.reason)") }
    }

    /// The durations of the scenario steps in one line; empty without steps.
    package static func line(of steps: SuiteTally.Steps) -> String {
        guard steps.count > 0 else { return "" }
        let unsupported = "\(steps.skipped) more were skipped, since a platform or app does not support them"
        let skipped = steps.skipped > 0 ? "; \(unsupported)" : ""
        let most = steps.cases > 1 ? ", at most \(thousandths(steps.mostSeconds)) s a case" : ""
        let serving = "the server took \(thousandths(steps.servingSeconds)) s for its responses"
        return "\(steps.count) steps took \(thousandths(steps.seconds)) s\(most)\(skipped); \(serving)."
    }

    private static func thousandths(_ seconds: Double) -> String {
        DecimalText.short(seconds, places: 3)
    }

    /// A duration as a person reads it.
    package static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        if seconds < 10 { return "\((seconds * 10).rounded() / 10) s" }
        if whole < 120 { return "\(whole) s" }
        return whole < 7200 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole % 3600 / 60) min"
    }

    /// The cells of a case.
    static func row(_ result: CaseResult) -> [String] {
        let name = result.name
        // The requirements that fail no case follow the table.
        let rules = result.findings.filter { $0.requirement?.isViolation != false }.map(\.words)
        let found = rules.first.map { rules.count > 1 ? "\($0) (+\(rules.count - 1) more)" : $0 } ?? ""
        let title = [name.scenario, name.network, name.client, name.app].joined(separator: " ")
        return [printable(name.file), title, result.verdict.rawValue, printable(found)]
    }

    /// Text for one line, with control characters made visible.
    package static func printable(_ text: String) -> String { ControlCharacters.shown(text) }
}
