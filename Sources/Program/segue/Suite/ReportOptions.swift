import ArgumentParser
import Foundation
import SegueComparison
import SegueSuite

/// Where the report of a suite goes.
struct ReportOptions: ParsableArguments {
    @Option(.json) var json: String?

    @Option(.junit) var junit: String?

    @Option(help: "A file for the results as a page with pictures.")
    var html: String?

    @Option(help: "A file for what went wrong as SARIF 2.1.0, which code hosts show beside a change.")
    var sarif: String?

    @Flag(help: "Print what went wrong as annotations of GitHub Actions.")
    var annotate = false

    @Flag(help: "Leave out how long things took, so that reports of the same results are the same.")
    var withoutTimes = false

    @Flag(.quiet) var quiet = false

    /// A kind of report.
    fileprivate enum Kind {
        case json, junit, sarif
        case html(ReportPage)
    }

    /// The files of a report, opened before the work begins.
    struct Files {
        fileprivate var outputs: [(kind: Kind, file: OutputFile)] = []

        fileprivate var hasPage: Bool {
            outputs.contains { output in
                if case .html = output.kind { true } else { false }
            }
        }

        /// These and others.
        static func + (left: Files, right: Files) -> Files { Files(outputs: left.outputs + right.outputs) }
    }

    /// Opens the files that were asked for.
    ///
    /// - Throws: ``CommandFailure`` where one cannot be written; `PageFailure` if the page's template cannot be read.
    func files() throws -> Files {
        var files = Files()
        if let json { files.outputs.append((.json, try OutputFile(json))) }
        if let junit { files.outputs.append((.junit, try OutputFile(junit))) }
        if let html { files.outputs.append((.html(try Self.page()), try OutputFile(html))) }
        if let sarif { files.outputs.append((.sarif, try OutputFile(sarif))) }
        return files
    }

    private static func page() throws -> ReportPage { try ReportPage(ProgramData.web()) }

    /// The reports of a run's folder, which are there whole or not at all.
    ///
    /// - Throws: `PageFailure` if the page's template cannot be read.
    static func files(in folder: RunFolder) throws -> Files {
        let names: [(Kind, String)] = [
            (.json, "report.json"), (.junit, "junit.xml"), (.html(try page()), "report.html"),
        ]
        return Files(outputs: names.map { ($0, OutputFile.replacing("\(folder.path)/\($1)")) })
    }

    /// Writes a report to files, and what a person reads to standard output.
    ///
    /// - Parameters:
    ///   - command: The command that made it.
    ///   - news: How it differs from the run before, for the page; not asked where none is made.
    /// - Returns: The causes of what was found, for who tells them; none where nothing is printed.
    /// - Throws: ``CommandFailure`` for a file that cannot be written, `ExitCode` for what the report comes to.
    func write(
        _ report: SuiteReport,
        to files: Files,
        of command: String = "regress",
        since news: (SuiteReport) -> ReportNews? = { _ in nil }
    ) throws -> FindingCauses {
        var causes = FindingCauses()
        if !quiet {
            let look = TerminalLook.ofStandardOutput
            try SuiteTable.write(report, look: look, seen: { causes.add($0) }, to: { print($0, terminator: "") })
            let steps = withoutTimes ? "" : SuiteTable.line(of: report.outcomes.tally.steps)
            if !steps.isEmpty { print(steps) }
        }
        if annotate { try Annotations.write(report) { print($0, terminator: "") } }
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

    /// Tells the causes, and before them what is new since the last run.
    ///
    /// - Parameters:
    ///   - news: How the run differs from the one before; nil where there is none.
    ///   - replay: The command that plays a case again; nil where nobody knows.
    func tell(_ causes: FindingCauses, news: ComparedRuns? = nil, replay: ReplayCommand? = nil) {
        guard !quiet else { return }
        let look = TerminalLook.ofStandardOutput
        let write = { (line: String) in print(line, terminator: "") }
        if let news { ComparisonText.writeNews(news, isColoured: look.isColoured, cut: look.cut, to: write) }
        CauseText.write(causes, look: look, command: { replay?.words(of: $0) }, to: write)
    }

    /// The exit code of a report, with what is to be said of it on standard error.
    ///
    /// A case that failed is what the check found; else a suite that did not come to its end, or found nothing out,
    /// could not run. What a part of a suite has not judged, another part may have.
    static func verdict(on summary: SuiteReport.Summary, isPart: Bool = false) -> (code: Int32, words: String?) {
        var words: String?
        if summary.broken > 0 {
            words = "\(summary.broken) of \(summary.cases) cases could not be run; the report says why (broken)"
        } else if !isPart, summary.passed + summary.failed + summary.known == 0 {
            words = "no case was judged: all \(summary.cases) were skipped; the report says why"
        }
        if summary.failed > 0 { return (1, words) }
        return (words == nil && summary.planned == nil ? 0 : 2, words)
    }
}
