import ArgumentParser
import SegueComparison
import SegueHistory
import SegueSuite

/// The options that keep a run of a suite in a history.
struct HistoryOptions: ParsableArguments {
    @Option(help: "A history (SQLite) that the run is added to; made where it is not there.", completion: .file())
    var history: String?

    @Option(help: ArgumentHelp("How many runs the history keeps.", valueName: "runs"))
    var historyKeep = RunHistory.usualRuns

    @Option(help: "The revision of what is tested. (default: what the CI system or git says)")
    var revision: String?

    @Option(
        help: ArgumentHelp(
            "What the page tells the news since: a report, a run folder, or last-green. (default: the history's last)",
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

    /// Makes sure that the history can be kept and the run before is there, and leaves it closed: workers are copies of
    /// this process, and a connection is not to be copied.
    func check() throws {
        do {
            let history = try opened()
            if let since { _ = try RunSource(since, in: history) }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// How a report differs from the run before; nil where there is none.
    ///
    /// A run before that cannot be read costs no report: a line on standard error says so.
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
            StandardError.write("segue: the page cannot tell what is new: \(error)\n")
            return nil
        }
    }

    /// Adds a report to the history.
    ///
    /// - Parameters:
    ///   - withTimes: Whether with what each case cost.
    /// - Returns: A line that says so, and how the run differs from the one before it; nil where no history is asked
    ///   for.
    /// - Throws: ``CommandFailure`` where it cannot be kept.
    func add(_ report: SuiteReport, withTimes: Bool) throws -> (line: String, news: ComparedRuns?)? {
        do {
            guard let history = try opened() else { return nil }
            let before = try history.runs().first?.number
            let number = try history.add(report.run ?? RunFacts(), keeping: historyKeep) { tell in
                try report.outcomes.each { try tell(try $0.recorded(withTimes: withTimes)) }
            }
            let line = "Kept as run #\(number) of \(history.path)."
            // Where one run alone is kept, there is none before it any more.
            guard let before, historyKeep > 1 else { return (line, nil) }
            let (was, now) = (try RunSource("#\(before)", in: history), try RunSource("#\(number)", in: history))
            return (line, try PairedRuns.compare(was, now, history: history))
        } catch {
            throw CommandFailure(history ?? "", "the run cannot be kept: \((error as? RunFailure)?.why ?? "\(error)")")
        }
    }

    private func opened() throws(RunFailure) -> RunHistory? {
        guard let history else { return nil }
        return try RunHistory(path: history, isMade: true)
    }
}
