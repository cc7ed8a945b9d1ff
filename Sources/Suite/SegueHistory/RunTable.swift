internal import SegueBase
internal import SegueComparison

/// The runs of a history as a text table.
package enum RunTable {
    package static func text(_ runs: [RunHistory.Run]) -> String {
        guard !runs.isEmpty else { return "no runs yet\n" }
        var rows = [["run", "date", "cases", "failed", "revision", "branch", "command"]]
        for run in runs {
            rows.append([
                "#\(run.number)", run.facts.began?.short ?? "", "\(run.cases)", "\(run.bad)",
                String((run.facts.revision ?? "").prefix(12)), run.facts.branch ?? "",
                String((run.facts.command ?? "").prefix(100)),
            ])
        }
        return TextTable.text(rows.map { $0.map(ControlCharacters.shown) })
    }
}
