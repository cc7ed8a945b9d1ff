package import SegueComparison

/// The changes of a report since the last run.
package struct ReportNews: Sendable {
    /// Both runs and their differences.
    package var runs: ComparedRuns
    /// The metrics of the last run.
    package var former: NetworkFigures

    package init(runs: ComparedRuns, former: NetworkFigures) { (self.runs, self.former) = (runs, former) }

    var changes: [CaseName: PageRows.Change] {
        let comparison = runs.comparison
        let lists: [(PageRows.Change, [RunComparison.Change])] = [
            (.new, comparison.new), (.worse, comparison.worse), (.mended, comparison.mended),
            (.excused, comparison.excused), (.added, comparison.added), (.better, comparison.better),
        ]
        var changes: [CaseName: PageRows.Change] = [:]
        // The most important change of a case comes first and stays.
        for (kind, list) in lists {
            for change in list where changes[change.name] == nil { changes[change.name] = kind }
        }
        return changes
    }
}
