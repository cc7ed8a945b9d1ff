package import SegueComparison

/// What is new in a report since the run before.
package struct ReportNews: Sendable {
    /// Both runs with how they differ.
    package var runs: ComparedRuns
    /// What the run before measured.
    package var former: NetworkFigures

    /// What is new.
    package init(runs: ComparedRuns, former: NetworkFigures) { (self.runs, self.former) = (runs, former) }

    /// How each case has changed that has, by its name.
    var changes: [RecordedCase.Name: PageRows.Change] {
        let comparison = runs.comparison
        let lists: [(PageRows.Change, [RunComparison.Change])] = [
            (.new, comparison.new), (.worse, comparison.worse), (.mended, comparison.mended),
            (.excused, comparison.excused), (.added, comparison.added), (.better, comparison.better),
        ]
        var changes: [RecordedCase.Name: PageRows.Change] = [:]
        // What matters most comes first, and stays.
        for (kind, list) in lists {
            for change in list where changes[change.name] == nil { changes[change.name] = kind }
        }
        return changes
    }
}
