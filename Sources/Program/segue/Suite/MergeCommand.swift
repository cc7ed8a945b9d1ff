import ArgumentParser
import SegueComparison
import SegueSuite

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the parts of a suite (segue regress --shard) into one report.",
        discussion: """
            The report equals that of a run on one machine. Missing or incomplete parts and duplicate cases are \
            reported on standard error.

            Example, with test media:
              segue testmedia media
              for part in 1 2 3; do segue regress media --shard $part/3 --run parts/$part; done
              segue merge parts/* --html report.html

            Exit codes: 0 all cases are as expected; 1 a case failed; 2 parts are missing or duplicate, or no case \
            was judged.
            """
    )

    @Argument(help: ArgumentHelp("The run folders of the parts.", valueName: "run"), completion: .directory)
    var runs: [String]

    @OptionGroup var report: ReportOptions

    @OptionGroup var keeping: HistoryOptions

    @OptionGroup var config: ConfigOption

    func run() throws {
        try keeping.check()
        let merged: MergedRuns
        do {
            merged = try MergedRuns(runs)
        } catch {
            throw CommandFailure(error)
        }
        var report = SuiteReport(
            merged.outcomes,
            wallSeconds: self.report.withoutTimes ? nil : merged.wallSeconds,
            planned: merged.planned
        )
        report.hasCaseTimes = !self.report.withoutTimes
        report.leftOut = merged.leftOut
        if !self.report.withoutTimes {
            var facts = RunFacts.ofThisRun(revision: keeping.revision)
            facts.releases = merged.releases
            report.run = facts
        }
        (report.places, report.abouts, report.tags) = (merged.places, merged.abouts, merged.tags)
        let causes = try self.report.write(report, to: try self.report.files(), since: keeping.news)
        for complaint in merged.complaints { StandardError.write("segue: merge: \(complaint)\n") }
        let kept = try merged.complaints.isEmpty ? keeping.add(report, withTimes: !self.report.withoutTimes) : nil
        if let kept, !self.report.quiet { StandardOutput.write(kept.line + "\n") }
        try self.report.tell(causes, of: report, news: kept?.news)
        let (code, words) = ReportOptions.verdict(on: report.summary)
        if let words { StandardError.write("segue: merge: \(words)\n") }
        let ending = merged.complaints.isEmpty ? code : 2
        if ending != 0 { throw ExitCode(ending) }
    }
}
