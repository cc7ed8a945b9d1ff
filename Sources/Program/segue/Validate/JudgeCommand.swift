import ArgumentParser
import Foundation
import SegueCharts
internal import SegueComparison
import SegueData
import SegueSuite

struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Checks event logs from any player against rules.",
        discussion: """
            A log is a JSON Lines file with the events that segue events lists: the output of segue play --log, \
            segue regress --log, segue link --log, or of any other player that writes them. The event case.began \
            names the case; --scenario, --network, --platform, and --app override it, so that rules for these names \
            apply. Findings in the log are replaced.

            Examples, with test media:
              segue testmedia media
              segue play media/mp4/h264-aac-long.mp4 --virtual --network 3g --quiet --log played.jsonl
              segue judge played.jsonl --network 3g --draw played.svg

            Exit codes: 0 no rule is broken; 1 a rule is broken; 2 it could not run, or a log could not be read.
            """
    )

    @Argument(help: ArgumentHelp("Event logs.", valueName: "log"), completion: .file())
    var logs: [String]

    @Option(.rules.defaulting(to: "all of the data folder")) var rules: NameList?

    @Option(.scenario.defaulting(to: "the one in each log")) var scenario: String?

    @Option(.network.defaulting(to: "the one in each log")) var network: String?

    @Option(.platform.defaulting(to: "the one in each log")) var platform: String?

    @Option(.app.defaulting(to: "the one in each log")) var app: String?

    @Option(.tags) var tag: NameList?

    @Option(.picture) var draw: String?

    @OptionGroup var report: ReportOptions

    @OptionGroup var config: ConfigOption

    func validate() throws {
        guard let draw else { return }
        if logs.count > 1 { throw ValidationError("--draw requires a single log; --html has a timeline of each log") }
        if ImageFile.Format(path: draw) == nil {
            throw ValidationError("--draw \(draw): the file must end in .svg or .png")
        }
    }

    func run() throws {
        let begun = ContinuousClock.now
        let picture = try draw.map { try ImageFile(path: $0) }
        let files = try report.files()
        let judged: LogSuite.Judged
        do {
            let judge = try LogJudge(rules: rules?.names, given, in: try ProgramData.harness())
            judged = try LogSuite.judge(logs, by: judge, wantsStories: report.html != nil || draw != nil) {
                StandardError.write("segue: \($0)\n")
            }
        } catch {
            throw CommandFailure(error)
        }
        let wall = report.withoutTimes ? nil : (ContinuousClock.now - begun) / .seconds(1)
        let whole = SuiteReport(judged.outcomes, wallSeconds: wall)
        var options = report
        options.quiet = report.quiet || whole.summary.cases == 0
        try options.tell(try options.write(whole, to: files, of: "judge"), of: whole)
        if let picture { try judged.outcomes.each { try draw($0, in: picture) } }
        for failure in judged.failures { StandardError.write("segue: \(failure)\n") }
        if !judged.failures.isEmpty { throw ExitCode(2) }
        if whole.summary.failed > 0 { throw ExitCode(1) }
    }

    private var given: LogJudge.Given {
        var given = LogJudge.Given()
        (given.scenario, given.network, given.platform, given.app) = (scenario, network, platform, app)
        given.tags = tag?.names ?? []
        return given
    }

    private func draw(_ outcome: CaseOutcome, in picture: ImageFile) throws {
        guard let story = outcome.story else { return }
        let name = outcome.result.name
        let title = [name.file, name.scenario, name.network, name.platform, name.app].filter { $0 != "-" }
        try picture.write(story, title: title.joined(separator: " · "), about: outcome.result.metrics.words)
    }
}
