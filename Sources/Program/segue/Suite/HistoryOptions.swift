import ArgumentParser
import SegueComparison
import SegueHistory
import SegueSuite

/// The options for adding a run to a history.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The history (SQLite) to add the run to; created if missing.", valueName: "file"),
        completion: .file()
    )
    var history: String?

    @Option(help: ArgumentHelp("The number of runs to keep in the history.", valueName: "runs"))
    var historyKeep = RunHistory.usualRuns

    @Option(help: ArgumentHelp("The revision under test. (default: from the CI system or git)", valueName: "name"))
    var revision: String?

    @Option(
        help: ArgumentHelp(
            "The run that the page compares with: a report, a run folder, or last-green. (default: the last of the history)",
            valueName: "run"
        ),
        completion: .file()
    )
    var since: String?

    func validate() throws {
        guard (1...100_000).contains(historyKeep) else {
            throw ValidationError("--history-keep must be from 1 to 100000 runs")
        }
    }

    /// Checks that the history can be written and the earlier run exists, and closes it: a connection must not be
    /// copied to forked workers.
    func check() throws {
        do {
            let history = try opened()
            if let since { _ = try RunSource(since, in: history) }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The differences from the earlier run for the page; nil without one.
    ///
    /// An unreadable earlier run is reported on standard error.
    func news(of report: SuiteReport) -> ReportNews? {
        do {
            let history = try opened()
            if since == nil, try history?.runs().isEmpty ?? true { return nil }
            let old = try RunSource(since ?? "last", in: history)
            var figures = NetworkFigures()
            let runs = try PairedRuns.compare(
                old,
                to: "this run",
                history: history,
                former: { figures.add($0) },
                now: { tell in
                    try report.outcomes.each { try tell(try $0.result.recorded()) }
                    return report.run ?? RunFacts()
                }
            )
            return ReportNews(runs: runs, former: figures)
        } catch {
            StandardError.write("segue: the page has no comparison: \(error)\n")
            return nil
        }
    }

    /// Adds a report to the history.
    ///
    /// `withTimes` decides whether to include costs. Returns a line about it with the differences from the run before;
    /// nil without a history.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be stored.
    func add(_ report: SuiteReport, withTimes: Bool) throws -> (line: String, news: ComparedRuns?)? {
        do {
            guard let history = try opened() else { return nil }
            let before = try history.runs().first?.number
            let number = try history.add(report.run ?? RunFacts(), keeping: historyKeep) { tell in
                try report.outcomes.each { try tell(try $0.recorded(withTimes: withTimes)) }
            }
            let line = "Added as run #\(number) to \(history.path)."
            // With one stored run there is no run before it.
            guard let before, historyKeep > 1 else { return (line, nil) }
            let (was, now) = (try RunSource("#\(before)", in: history), try RunSource("#\(number)", in: history))
            return (line, try PairedRuns.compare(was, now, history: history))
        } catch {
            throw CommandFailure(history ?? "", "the run cannot be added: \((error as? RunFailure)?.why ?? "\(error)")")
        }
    }

    private func opened() throws(RunFailure) -> RunHistory? {
        guard let history else { return nil }
        return try RunHistory(path: history, isMade: true)
    }
}
