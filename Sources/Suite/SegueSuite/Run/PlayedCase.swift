internal import SegueBase
internal import SegueCharts
internal import SegueData
internal import SegueEvents
internal import SegueFetch
internal import SegueNetworkModel
internal import SeguePlayerModel

/// Plays one case in virtual time, and judges it.
struct PlayedCase {
    /// What is known of what is played, whoever serves it.
    struct Facts {
        /// Samples a second of the sound; nil where it is not known.
        var sampleRate: Int?
        /// Bits a second that what is played takes at its peak; nil for what the segments that came say.
        var peakBandwidth: Int?
        /// Words that rules and known issues may name.
        var tags: [String] = []
        /// What its metrics must be.
        var budgets: [Budget] = []
        /// What no report may tell.
        var secrets = Secrets()
    }

    let task: FileTask
    let rules: RuleBook
    let name: CaseName
    let choice: CaseData.Choice
    let facts: Facts

    /// Plays.
    ///
    /// - Parameters:
    ///   - content: What came of comparing each rendition that is delivered with the source.
    ///   - before: Findings that were made before.
    ///   - after: Findings that are made afterwards.
    ///   - measured: What a real server took for each resource that it was asked for; nil for one in this process.
    /// - Throws: The system's error where the log cannot be written.
    func play(
        _ item: ItemAddress,
        on platform: PlatformProfile,
        app: AppProfile,
        content: [ContentCheck.Outcome],
        before: [Finding] = [],
        after: () -> [Finding] = { [] },
        respond: @escaping SimulatedFetcher.Responder,
        measured: (() -> [TitleOrigin.Measured])? = nil
    ) throws -> CaseOutcome {
        let setup = ScenarioRun.Setup(
            scenario: choice.scenario,
            items: [item],
            platform: platform,
            app: app,
            seed: UInt64(bitPattern: Int64(name.seed))
        )
        var serving = Duration.zero
        let run = ScenarioRun(setup, network: choice.network) { request in
            let begun = ContinuousClock.now
            defer { serving += ContinuousClock.now - begun }
            return respond(request)
        }
        run.note(beginning)
        let begun = ContinuousClock.now
        let stuck = run.run()
        let took = ContinuousClock.now - begun
        for times in measured?() ?? [] {
            run.note(.originMeasured(url: times.url, seconds: times.firstByte.seconds, bitrate: times.rate ?? 0))
        }
        var played = Played(log: run.log, metrics: run.metrics, stuck: stuck, steps: run.stepsDone)
        (played.stepsSeconds, played.servingSeconds) = ((took - serving).seconds, serving.seconds)
        return try outcome(of: played, content: content, before: before, after: after)
    }

    /// What a log begins with.
    var beginning: EventKind {
        .caseBegan(
            file: name.file,
            scenario: name.scenario,
            network: name.network,
            platform: name.platform,
            app: name.app,
            seed: name.seed
        )
    }

    /// What was played, by the model or by a real player.
    struct Played {
        /// Everything that happened.
        var log: EventLog
        /// What it was like.
        var metrics: SessionMetrics
        /// Why it did not come to its end; nil where it did.
        var stuck: Finding?
        /// How many steps of the scenario are over.
        var steps: Int
        /// Seconds that the steps took, without those of the server.
        var stepsSeconds = 0.0
        /// Seconds that the server took.
        var servingSeconds = 0.0
    }

    /// Judges what was played.
    ///
    /// - Parameters:
    ///   - content: What came of comparing each rendition that is delivered with the source.
    ///   - before: Findings that were made before.
    ///   - after: Findings that are made afterwards.
    /// - Throws: The system's error where the log cannot be written.
    func outcome(
        of played: Played,
        content: [ContentCheck.Outcome],
        before: [Finding],
        after: () -> [Finding]
    ) throws -> CaseOutcome {
        var log = played.log
        var metrics = CaseMetrics(played.metrics, sampleRate: facts.sampleRate)
        if !choice.scenario.hasBackground { metrics.background = nil }
        metrics.add(log)
        metrics.add(content)
        var findings = [played.stuck].compactMap(\.self) + before
        findings += rules.findings(
            for: name,
            log: log,
            background: metrics.background,
            headroom: choice.network.headroom(over: facts.peakBandwidth, of: log),
            metrics: metrics,
            tags: facts.tags
        ).filter { !choice.scenario.withoutRules.contains($0.rule) }
        findings += facts.budgets.compactMap { $0.finding(in: metrics) }
        findings += content.flatMap(\.findings)
        findings += after()
        findings = findings.map { $0.without(facts.secrets) }
        let end = log.events.last?.at ?? .zero
        for finding in findings where !finding.isRemark {
            log.append(.finding(rule: finding.rule, message: finding.message), at: end)
        }
        if let folder = task.logFolder {
            try CaseLogFile(name, in: folder).write(facts.secrets.removed(from: log.jsonLines))
        }
        let judgement = rules.judgement(of: findings, in: name, tags: facts.tags)
        let result = CaseResult(
            name: name,
            verdict: judgement.verdict,
            findings: judgement.findings,
            metrics: metrics
        )
        var outcome = CaseOutcome(
            result,
            story: task.wantsStories ? RunStory(log: log, findings: findings).without(facts.secrets) : nil,
            steps: played.steps,
            stepsSeconds: played.stepsSeconds,
            servingSeconds: played.servingSeconds
        )
        outcome.verified = ContentVerification(content)
        return outcome
    }
}

extension Finding {
    /// The finding without what is secret.
    func without(_ secrets: Secrets) -> Finding {
        secrets.isEmpty ? self : Finding(rule: rule, message: secrets.removed(from: message), at: at, evidence)
    }
}
