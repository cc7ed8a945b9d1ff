import ArgumentParser
import Comparison
import Foundation
import Harness
import Notation
import Regression

/// Runs the regression suite.
struct RegressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regress",
        abstract: "Runs files through server, network and player in virtual time and says what broke.",
        discussion: """
            Every file goes through every scenario, platform, app policy and network that is named. What was \
            delivered is decoded and compared with a direct decode of the file; the event log is read against rules.

            Examples, with test media; a folder of your own will do as well:
              segue testmedia media
              segue regress media --json report.json --html report.html
              segue regress media --rules default,budgets.yaml \\
                --known-issues issues.yaml
              segue regress media --history nightly.db
              segue compare last-green last --history nightly.db
              segue regress media/mp4/h264-aac-long.mp4 --log logs \\
                --platform ios-4.3 --network wifi,3g \\
                --app switch-if-was-playing,switch-when-ready

            Exit codes: 0 all as expected; 1 a case failed; 2 it could not run.
            """
    )

    @Argument(help: "Folders and files, URLs, and title lists (YAML).", completion: .file())
    var paths: [String]

    @OptionGroup var options: CaseOptions

    @Option(
        help: "The device that the player names to the server: a name or a YAML file. (default: none)",
        completion: .names(of: .devices)
    )
    var device: String?

    @Option(
        help: "Rule files: names or YAML files. (default: all of the data folder)",
        completion: .names(of: .rules, isList: true)
    )
    var rules: NameList?

    @Option(
        help: "YAML files of known issues, besides those of the data folder.",
        completion: .yaml
    )
    var knownIssues: NameList?

    @Option(help: ArgumentHelp("A variable of the title lists, in place of theirs.", valueName: "name=value"))
    var set: [String] = []

    @Option(
        help: "Seconds that a title's server takes for each request. (default: as long as it really took, measured)"
    )
    var think: Double?

    @Option(help: "How many files at a time. (default: one for each core)")
    var jobs: Int?

    @Option(help: "A folder for the event log of each case (JSON Lines).")
    var log: String?

    @Option(help: "A file for the results as JSON.")
    var json: String?

    @Option(help: "A file for the results as JUnit XML.")
    var junit: String?

    @Option(help: "A file for the results as a page with pictures.")
    var html: String?

    @OptionGroup var keeping: HistoryOptions

    @Option(help: "Seconds of processor time, or of none, in which each file must come further.")
    var patience = 300.0

    @Flag(help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        try JobCount.check(jobs)
        if let wrong = set.first(where: { !$0.contains("=") }) {
            throw ValidationError("--set \(wrong): give NAME=VALUE")
        }
        if let think, !(0...600).contains(think) { throw ValidationError("--think must be from 0 to 600 seconds") }
        guard patience > 0, patience <= 1_000_000 else {
            throw ValidationError("--patience must be above 0 and at most 1000000 seconds")
        }
    }

    func run() throws {
        let begun = ContinuousClock.now
        let jobs = JobCount.chosen(jobs)
        let suite: Suite
        let worker: ForkedWorker
        do {
            suite = try Suite(
                SuiteSources(paths, variables: variables, environment: ProcessInfo.processInfo.environment),
                scenarios: options.scenario?.names,
                networks: options.network?.names,
                platforms: options.platform?.names,
                apps: options.app?.names,
                device: device,
                rules: rules?.names,
                knownIssues: knownIssues?.names ?? [],
                today: UTCTime(secondsSince1970: Int64(Date().timeIntervalSince1970)).day,
                seed: options.seed,
                harness: try ProgramData.harness()
            )
            worker = try ForkedWorker(suite, most: jobs) { try LiveTitleServer($0) }
        } catch {
            throw CommandFailure(error)
        }
        // Before the workers: git's answer is for this moment, and a history that cannot be kept costs no run.
        let facts = RunFacts.ofThisRun(revision: keeping.revision)
        try keeping.check()
        if let log { try OutputFolder.make(log) }
        let outputs = try [json, junit, html].compactMap { $0 }.map(OutputFile.init)
        let servers: [StartedServer]
        do {
            servers = try suite.servers.map { try StartedServer($0, isReady: LiveTitleServer.answers) }
        } catch {
            throw CommandFailure(error)
        }
        defer { withExtendedLifetime(servers) {} }
        let runner = SuiteRunner(jobs: jobs, start: worker.start)
        var limits = FileLimits()
        (limits.busySeconds, limits.idleSeconds) = (patience, patience)
        var progress = ProgressLine("regress", isQuiet: quiet)
        let think = think.map { Duration.seconds($0) }
        let tasks = suite.tasks(logFolder: log, wantsStories: html != nil, limits: limits, think: think)
        let outcomes: CaseOutcomes
        do {
            outcomes = try runner.run(tasks) { step in
                progress.show(done: step.done, total: step.total, item: step.file)
            }
        } catch {
            progress.end()
            throw CommandFailure(NSTemporaryDirectory(), "the results cannot be kept: \(error)")
        }
        progress.end()
        var use = KnownIssueUse(of: suite.rules.knownIssues)
        let tags = Dictionary(suite.titles.map { ($0.name, $0.tags) }) { first, _ in first }
        try outcomes.each { use.add($0.result, tags: tags[$0.result.name.file] ?? []) }
        let report = SuiteReport(
            outcomes,
            wallSeconds: (ContinuousClock.now - begun) / .seconds(1),
            run: facts,
            unusedIssues: use.unused
        )
        if !quiet {
            try SuiteTable.write(report, width: TerminalSize.columns) { print($0, terminator: "") }
            let steps = SuiteTable.line(of: outcomes.tally.steps)
            if !steps.isEmpty { print(steps) }
            for issue in use.unused { print(SuiteTable.printable(issue.farewell)) }
        }
        for output in outputs {
            try output.write { write in
                switch output.path {
                case json: try report.writeJSON(to: write)
                case junit: try JUnitReport.write(report) { try write(Data($0.utf8)) }
                default: try ReportPage.write(report) { try write(Data($0.utf8)) }
                }
            }
        }
        if let kept = try keeping.add(report), !quiet { print(kept) }
        if report.summary.failed > 0 { throw ExitCode(1) }
    }

    private var variables: [String: String] {
        let pairs = set.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { _, last in last }
    }
}
