import ArgumentParser
import Foundation
import SegueComparison
import SegueSuite

/// The options for the reports of a suite.
struct ReportOptions: ParsableArguments {
    @Option(.json) var json: String?

    @Option(.junit) var junit: String?

    @Option(help: ArgumentHelp("Write the results to an HTML page with timelines.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write the failures to a SARIF 2.1.0 file, which code hosts show beside a change.",
            valueName: "file"
        )
    )
    var sarif: String?

    @Flag(help: "Print the failures as GitHub Actions annotations.")
    var annotate = false

    @Flag(help: "Omit times, so that identical results give identical reports.")
    var withoutTimes = false

    @Flag(.quiet) var quiet = false

    fileprivate enum Kind {
        case json, junit, sarif
        case html(ReportPage)
    }

    /// The report files, opened before the work begins.
    struct Files {
        fileprivate var outputs: [(kind: Kind, file: OutputFile)] = []

        fileprivate var hasPage: Bool {
            outputs.contains { output in
                if case .html = output.kind { true } else { false }
            }
        }

        static func + (left: Files, right: Files) -> Files { Files(outputs: left.outputs + right.outputs) }
    }

    /// Opens the report files.
    ///
    /// - Throws: ``CommandFailure`` if one cannot be written; `PageFailure` if the page's template cannot be read.
    func files() throws -> Files {
        var files = Files()
        if let json { files.outputs.append((.json, try OutputFile(json))) }
        if let junit { files.outputs.append((.junit, try OutputFile(junit))) }
        if let html { files.outputs.append((.html(try Self.page()), try OutputFile(html))) }
        if let sarif { files.outputs.append((.sarif, try OutputFile(sarif))) }
        return files
    }

    private static func page() throws -> ReportPage { try ReportPage(ProgramData.web()) }

    /// The reports of a run folder, which are replaced atomically.
    ///
    /// - Throws: `PageFailure` if the page's template cannot be read.
    static func files(in folder: RunFolder) throws -> Files {
        let names: [(Kind, String)] = [
            (.json, "report.json"), (.junit, "junit.xml"), (.html(try page()), "report.html"),
        ]
        return Files(outputs: names.map { ($0, OutputFile.replacing("\(folder.path)/\($1)")) })
    }

    /// Writes a report to files, and a summary to standard output.
    ///
    /// `news` returns the differences from the run before; it is called only for a page. Returns the causes of
    /// findings; empty if nothing is printed.
    ///
    /// - Throws: ``CommandFailure`` for a file that cannot be written.
    func write(
        _ report: SuiteReport,
        to files: Files,
        of command: String = "regress",
        since news: (SuiteReport) -> ReportNews? = { _ in nil }
    ) throws -> FindingCauses {
        var causes = FindingCauses()
        if !quiet {
            let look = TerminalLook.ofStandardOutput
            let write = { (line: String) in StandardOutput.write(colored: line) }
            try SuiteTable.write(report, look: look, seen: { causes.add($0) }, to: write)
            let steps = withoutTimes ? "" : SuiteTable.line(of: report.outcomes.tally.steps)
            if !steps.isEmpty { StandardOutput.write(steps + "\n") }
        }
        if annotate { try Annotations.write(report) { StandardOutput.write($0) } }
        let news = files.hasPage ? news(report) : nil
        for (kind, file) in files.outputs {
            try file.write { write in
                switch kind {
                case .json: try report.writeJSON(to: write)
                case .junit: try JUnitReport.write(report, of: command) { try write(Data($0.utf8)) }
                case .sarif: try SARIFReport.write(report, of: command, to: write)
                case .html(let page): try write(Data(page.html(of: report, since: news).utf8))
                }
            }
        }
        return causes
    }

    /// Prints the causes, after the differences from the run before.
    ///
    /// `news` is the difference from the run before; nil without one. `replay` is the command that replays a case; nil
    /// without one.
    func tell(
        _ causes: FindingCauses,
        of report: SuiteReport,
        news: ComparedRuns? = nil,
        replay: ReplayCommand? = nil
    ) throws {
        guard !quiet else { return }
        let look = TerminalLook.ofStandardOutput
        let write = { (line: String) in StandardOutput.write(colored: line) }
        if let news { ComparisonText.writeNews(news, isColoured: look.isColoured, cut: look.cut, to: write) }
        let nearest = try report.nearestPassing(of: CauseText.examples(of: causes))
        CauseText.write(causes, look: look, command: { replay?.words(of: $0) }, nearest: { nearest[$0] }, to: write)
    }

    /// The exit code of a report, and a message for standard error.
    ///
    /// A failed case means 1. An incomplete suite, or one that judged no case, means 2. A part without a judged case
    /// only has a message, since other parts judge the rest, and `segue merge` judges the whole.
    static func verdict(on summary: SuiteReport.Summary, isPart: Bool = false) -> (code: Int32, words: String?) {
        var words: String?
        if summary.broken > 0 {
            words = "\(summary.broken) of \(summary.cases) cases could not be run (broken); see the report"
        } else if summary.cases == 0 {
            words =
                isPart
                ? "this part has no cases: there are more parts than work; segue merge judges the whole suite"
                : "no case was judged: all were left out, since they cannot be; see the report"
        } else if summary.passed + summary.failed + summary.known == 0 {
            let scope = isPart ? "of this part " : ""
            words = "no case was judged: all \(summary.cases) \(scope)were skipped; see the report"
        }
        if summary.failed > 0 { return (1, words) }
        let isDone = summary.planned == nil && summary.broken == 0
        return (isDone && (words == nil || isPart) ? 0 : 2, words)
    }
}
