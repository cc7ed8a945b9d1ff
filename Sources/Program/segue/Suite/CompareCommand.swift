import ArgumentParser
import Foundation
import SegueComparison
import SegueHistory
import SegueSuite

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two runs of a suite: new, fixed, worse, and better cases.",
        discussion: """
            A run is a report (the JSON of segue regress), a run folder, or a run of a history: last, last~1 (the \
            run before it), last-green (the last run without failures; as OLD, the last one before NEW), or '#12'.

            A metric is worse or better if it changed by more than its normal variation: three deviations (of the \
            median) over the last 20 good runs of the case in the history, and at least the smallest noticeable \
            difference. docs/history.md has the table.

            Examples:
              segue regress media --history nightly.db
              segue compare last-green last --history nightly.db
              segue compare main.json branch.json --markdown comment.md

            Exit codes: 0 nothing is new or worse; 1 something is; 2 a run could not be read.
            """
    )

    @Argument(help: "The old run.", completion: .file())
    var old: String

    @Argument(help: "The new run.", completion: .file())
    var new: String

    @Option(.history) var history: String?

    @Option(.json) var json: String?

    @Option(
        help: ArgumentHelp("Write the differences to a Markdown file, for a comment on a change.", valueName: "file")
    )
    var markdown: String?

    @Option(.junit) var junit: String?

    @Flag(help: "List all cases, not only the first of each cause.")
    var all = false

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func run() throws {
        let runs: ComparedRuns
        let (jsonFile, junitFile) = (try json.map(OutputFile.init), try junit.map(OutputFile.init))
        let markdownFile = try markdown.map(OutputFile.init)
        do {
            let history = try history.map { path throws(RunFailure) in try RunHistory(path: path, isMade: false) }
            // The new run decides which run is the one before it.
            let now = try RunSource(new, in: history)
            let was = try RunSource(old, in: history, before: now.number)
            runs = try PairedRuns.compare(was, now, history: history)
        } catch {
            throw CommandFailure(error)
        }
        if !quiet {
            ComparisonText.write(runs, isColoured: TerminalLook.ofStandardOutput.isColoured, all: all) {
                StandardOutput.write(colored: $0)
            }
        }
        try jsonFile?.write { write in try ComparisonJSON.write(runs, to: write) }
        try junitFile?.write { write in try ComparisonJUnit.write(runs) { try write(Data($0.utf8)) } }
        try markdownFile?.write(Data(ComparisonMarkdown.text(runs).utf8))
        if runs.comparison.isWorse { throw ExitCode(1) }
    }
}
