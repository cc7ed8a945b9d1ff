import ArgumentParser
import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueSuite

/// The work of `segue regress`, with or without a run folder.
struct SuiteCommand {
    private let command: RegressCommand
    private let suite: Suite
    private let worker: ForkedWorker
    private let folder: RunFolder?
    private let jobs: Int
    private let begun = ContinuousClock.now

    /// Resolves all names.
    ///
    /// `begun` is the run to resume; nil for a new one.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ command: RegressCommand, in begun: RunFolder?) throws {
        self.command = command
        let jobs = JobCount.chosen(command.jobs)
        self.jobs = jobs
        let record = DataRecord()
        let verified = command.verification.content()
        do {
            let harness = try ProgramData.harness()
            let drivers = try ProgramData.drivers()
            let players = try command.player.map { try NamedPlayer($0, in: drivers) }
            (suite, worker) = try record.during {
                let suite = try Suite(
                    SuiteSources(
                        command.paths,
                        variables: command.variables,
                        environment: ProcessInfo.processInfo.environment
                    ),
                    command.choices(players),
                    harness: harness
                )
                let real = players.isEmpty ? nil : RealPlayers(program: ProgramData.program, address: command.linkAt)
                let worker = try ForkedWorker(suite, most: jobs, verified: verified, real: real) {
                    try LiveTitleServer($0)
                }
                return (suite, worker)
            }
            guard begun != nil || command.runFolder != nil else {
                folder = nil
                return
            }
            var header = try RunHeader(
                of: suite,
                data: record,
                program: (ProgramData.program, Segue.configuration.version),
                directory: FileManager.default.currentDirectoryPath,
                arguments: begun?.header.arguments
                    ?? Configuration.expanded(Array(CommandLine.arguments.dropFirst()))
                    .map(CommandWords.withoutSecrets)
            )
            if let begun, let difference = begun.header.difference(from: header, isSamePlace: true) {
                throw CommandFailure(begun.path, "cannot be resumed: \(difference); start a new run with --run")
            }
            if begun == nil, let shard = command.shard {
                let times = try command.balance.map { try PastCaseTimes.known(of: $0) } ?? PastCaseTimes()
                header.take(part: shard.number, of: shard.count, of: suite, times: times)
            }
            folder = try begun ?? command.runFolder.map { try RunFolder.begin($0, header) }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Runs the suite.
    ///
    /// - Throws: ``CommandFailure``, or the `ExitCode` of the report.
    func run() throws {
        // Checked before the workers: git's answer is for this moment, and a history that cannot be written must fail
        // early.
        var facts = RunFacts.ofThisRun(revision: command.keeping.revision)
        facts.releases = suite.releases
        try command.keeping.check()
        let log = command.log ?? folder?.logs
        if let log { try OutputFolder.make(log) }
        var files = try command.report.files()
        if let folder { files = try files + ReportOptions.files(in: folder) }
        var limits = FileLimits()
        (limits.busySeconds, limits.idleSeconds) = (command.patience, command.patience)
        let tasks = suite.tasks(
            logFolder: log,
            wantsStories: folder == nil && command.report.html != nil,
            limits: limits,
            think: command.think.map { .seconds($0) }
        )
        let servers: [StartedServer]
        do {
            servers = try suite.servers.map { try StartedServer($0, isReady: LiveTitleServer.answers) }
        } catch {
            throw CommandFailure(error)
        }
        defer { withExtendedLifetime(servers) {} }
        Interruption.watch()
        let outcomes = try outcomes(of: tasks)
        let planned = folder?.header.cases ?? tasks.reduce(0) { $0 + $1.cases.count }
        // A part of a suite or an interrupted one cannot show that an issue is unused.
        let isWhole = folder?.header.part == nil && outcomes.tally.summary.cases == planned
        let unused = isWhole ? try unusedIssues(of: outcomes) : []
        var report = SuiteReport(
            outcomes,
            wallSeconds: command.report.withoutTimes ? nil : (ContinuousClock.now - begun) / .seconds(1),
            planned: planned
        )
        report.leftOut = suite.leftOut
        report.hasCaseTimes = folder != nil && !command.report.withoutTimes
        if !command.report.withoutTimes { report.run = facts }
        (report.unusedIssues, report.places) = (unused, suite.places)
        (report.abouts, report.tags) = (suite.rules.abouts, tags)
        // A part has too few cases for a comparison with a whole run.
        let isPart = folder?.header.part != nil
        let causes = try command.report.write(
            report,
            to: files,
            since: { isPart ? nil : command.keeping.news(of: $0) }
        )
        if !command.report.quiet { for issue in unused { print(SuiteTable.printable(issue.farewell)) } }
        // A part or an interrupted suite is not a run to compare others with.
        let isRun = report.summary.planned == nil && folder?.header.part == nil
        let kept = try isRun ? command.keeping.add(report, withTimes: !command.report.withoutTimes) : nil
        if let kept, !command.report.quiet { print(kept.line) }
        try command.report.tell(
            causes,
            of: report,
            news: kept?.news,
            replay: ReplayCommand(suite, options: replayOptions)
        )
        try end(report.summary)
    }

    /// The options of the suite that also apply to a single case.
    private var replayOptions: [String] {
        let given: [(String, String?)] = [
            ("--rules", command.rules?.names.joined(separator: ",")),
            ("--known-issues", command.knownIssues?.names.joined(separator: ",")),
            ("--link-at", command.linkAt == RegressCommand.thisMachine ? nil : command.linkAt),
        ]
        return given.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// The tags of the titles that have any, by name.
    private var tags: [String: [String]] {
        Dictionary(suite.titles.filter { !$0.tags.isEmpty }.map { ($0.name, $0.tags) }) { first, _ in first }
    }

    private func unusedIssues(of outcomes: CaseOutcomes) throws -> [KnownIssue] {
        var use = KnownIssueUse(of: suite.rules.knownIssues)
        let tags = tags
        try outcomes.each { use.add($0.result, tags: tags[$0.result.name.file] ?? []) }
        return use.unused
    }

    /// Runs the remaining work.
    private func outcomes(of tasks: [FileTask]) throws -> CaseOutcomes {
        let runner = SuiteRunner(jobs: jobs, isInterrupted: { Interruption.name != nil }, start: worker.start)
        var progress = ProgressLine("regress", isQuiet: command.report.quiet)
        defer { progress.end() }
        let show = { (step: SuiteRunner.Progress) in progress.show(step) }
        do {
            guard let folder else { return try runner.run(tasks, progress: show) }
            try runner.run(tasks, in: folder, progress: show)
            return try CaseOutcomes(of: [folder])
        } catch let error as RunFolderError {
            throw CommandFailure("\(error)", "the results cannot be stored; fix this, then \(goingOn)")
        } catch {
            throw CommandFailure(NSTemporaryDirectory(), "the results cannot be stored: \(error)")
        }
    }

    private func end(_ summary: SuiteReport.Summary) throws {
        let (code, words) = ReportOptions.verdict(on: summary, isPart: folder?.header.part != nil)
        if let name = Interruption.name, let planned = summary.planned {
            StandardError.write(
                "segue: regress: interrupted by \(name) after \(summary.cases) of \(planned) cases"
                    + (folder == nil ? "\n" : "; \(goingOn)\n")
            )
        } else if let words {
            StandardError.write("segue: regress: \(words)\n")
        }
        if code != 0 { throw ExitCode(code) }
    }

    private var goingOn: String { "continue it with segue regress --resume \(folder?.path ?? "")" }
}

extension RegressCommand {
    fileprivate func choices(_ players: [NamedPlayer]) -> SuiteChoices {
        var choices = SuiteChoices(
            scenarios: options.scenario?.names,
            networks: options.network?.names,
            platforms: options.platform?.names,
            devices: device?.names,
            seed: options.seed
        )
        choices.apps = options.app?.names
        choices.players = players.map { ($0.name, $0.command) }
        choices.rules = rules?.names
        choices.knownIssues = knownIssues?.names ?? []
        choices.today = UTCTime(secondsSince1970: Int64(Date().timeIntervalSince1970)).day
        return choices
    }

    /// The work that is left of an earlier run.
    ///
    /// `command` is the resuming command, whose --jobs and --quiet apply.
    ///
    /// - Throws: ``CommandFailure`` if there is no such run, or for other options.
    static func resumed(_ path: String, _ command: RegressCommand) throws -> SuiteCommand {
        do {
            try checkOptions(Array(CommandLine.arguments.dropFirst(2)))
            let folder = try RunFolder.open(path, isWritable: true)
            let given = Array(CommandLine.arguments.dropFirst(2))
            let (words, missing) = CommandWords.restored(folder.header.arguments, from: given)
            if let word = missing.first {
                throw CommandFailure(
                    path,
                    "was started with \(word), whose secret is not stored; give it again: "
                        + "segue regress --resume \(path) ADDRESS (or --set NAME=VALUE)"
                )
            }
            var begun = try RegressCommand.parse(Array(words.dropFirst()))
            begun.jobs = command.jobs ?? begun.jobs
            begun.report.quiet = command.report.quiet
            guard FileManager.default.changeCurrentDirectoryPath(folder.header.directory) else {
                throw CommandFailure(folder.header.directory, "the working directory of the run no longer exists")
            }
            return try SuiteCommand(begun, in: folder)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func checkOptions(_ arguments: [String]) throws {
        let taken = ["--resume", "--jobs", "--quiet", "--set"]
        for argument in arguments where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            guard taken.contains(name) else {
                throw CommandFailure("--resume", "uses the options of the run and does not support \(name)")
            }
        }
    }
}
