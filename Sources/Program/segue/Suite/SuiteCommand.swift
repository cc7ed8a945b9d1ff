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
        for words in suite.unselected { StandardError.write("segue: regress: \(words)\n") }
        let servers = try startedServers()
        defer { withExtendedLifetime(servers) {} }
        Interruption.watch()
        let report = try report(on: outcomes(of: tasks), planned: tasks.reduce(0) { $0 + $1.cases.count }, facts: facts)
        try publish(report, to: files)
        try end(report.summary)
    }

    private func startedServers() throws -> [StartedServer] {
        do {
            return try suite.servers.map { try StartedServer($0, isReady: LiveTitleServer.answers) }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func report(on outcomes: CaseOutcomes, planned: Int, facts: RunFacts) throws -> SuiteReport {
        let planned = folder?.header.cases ?? planned
        // A part of a suite or an interrupted one cannot show that an issue is unused.
        let isWhole = !isPart && outcomes.tally.summary.cases == planned
        let hasTimes = !command.report.withoutTimes
        var report = SuiteReport(
            outcomes,
            wallSeconds: hasTimes ? (ContinuousClock.now - begun) / .seconds(1) : nil,
            planned: planned
        )
        report.leftOut = suite.leftOut
        report.hasCaseTimes = folder != nil && hasTimes
        if hasTimes { report.run = facts }
        report.unusedIssues = isWhole ? try unusedIssues(of: outcomes) : []
        (report.places, report.abouts, report.tags) = (suite.places, suite.rules.abouts, tags)
        return report
    }

    /// Writes the report, adds the run to the history, and prints both.
    private func publish(_ report: SuiteReport, to files: ReportOptions.Files) throws {
        let options = command.report
        // A part has too few cases for a comparison with a whole run.
        let causes = try options.write(report, to: files, since: { isPart ? nil : command.keeping.news(of: $0) })
        if !options.quiet {
            for issue in report.unusedIssues ?? [] { StandardOutput.write(SuiteTable.printable(issue.farewell) + "\n") }
        }
        // A part or an interrupted suite is not a run to compare others with.
        let isRun = report.summary.planned == nil && !isPart
        let kept = try isRun ? command.keeping.add(report, withTimes: !options.withoutTimes) : nil
        if let kept, !options.quiet { StandardOutput.write(kept.line + "\n") }
        let replay = ReplayCommand(suite, options: replayOptions)
        try options.tell(causes, of: report, news: kept?.news, replay: replay)
    }

    /// True if the run is a part of a suite.
    private var isPart: Bool { folder?.header.part != nil }

    /// The options of the suite that also apply to a single case.
    private var replayOptions: [String] {
        let given: [(String, String?)] = [
            ("--rules", command.rules?.names.joined(separator: ",")),
            ("--known-issues", command.knownIssues?.names.joined(separator: ",")),
            ("--profile", command.profile == .usual ? nil : command.profile.rawValue),
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
        let (code, words) = ReportOptions.verdict(on: summary, isPart: isPart)
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
        choices.profile = profile
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
