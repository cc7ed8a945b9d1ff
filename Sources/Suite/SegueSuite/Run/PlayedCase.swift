internal import SegueBase
internal import SegueCharts
internal import SegueComparison
internal import SegueData
internal import SegueEvents
internal import SegueFetch
internal import SegueNetworkModel
internal import SeguePlayerModel

/// Plays one case in virtual time, and judges it.
struct PlayedCase {
    /// The facts about the content, independent of its server.
    struct Facts {
        /// The sample rate of the audio; nil if unknown.
        var sampleRate: Int?
        /// The peak bit rate of the content; nil for that of the loaded segments.
        var peakBandwidth: Int?
        /// The tags that rules and known issues refer to.
        var tags: [String] = []
        var budgets: [Budget] = []
        /// True if it has video and no rendition for the background, so that the platform alone decides about its audio
        /// there.
        var lacksBackground = false
        /// True if the lack is stated, and thus no news.
        var statesLack = false
        /// The texts to remove from reports.
        var secrets = Secrets()
    }

    /// The checks beside those of the log.
    struct Checks {
        /// The comparison of each delivered rendition with the source.
        var content: [ContentCheck.Outcome]
        /// Findings from before the run.
        var before: [Finding] = []
        /// The violations of the rules of HLS, and remarks about them.
        var specification: [Finding] = []
    }

    let task: FileTask
    let rules: RuleBook
    let name: CaseName
    let choice: CaseData.Choice
    let facts: Facts
    /// Returns the response times of a real server; nil for one in this process.
    var measured: (() -> [TitleOrigin.Measured])?

    /// Plays the case.
    ///
    /// `after` returns findings from after the run.
    ///
    /// - Throws: The system's error if the log cannot be written.
    func play(
        _ item: ItemAddress,
        on platform: PlatformProfile,
        app: AppProfile,
        checks: Checks,
        after: () -> [Finding] = { [] },
        respond: @escaping SimulatedFetcher.Responder
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
        return try outcome(of: played, checks, after: after)
    }

    /// The first event of the log.
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

    /// A run of the model or of a real player.
    struct Played {
        var log: EventLog
        var metrics: SessionMetrics
        /// The finding that ended the run early; nil if the scenario finished.
        var stuck: Finding?
        /// The number of steps that are done.
        var steps: Int
        /// The duration of the steps in seconds, without the server's work.
        var stepsSeconds = 0.0
        /// The duration of the server's work in seconds.
        var servingSeconds = 0.0
    }

    /// Judges a run; `after` returns findings from after it.
    ///
    /// - Throws: The system's error if the log cannot be written.
    func outcome(of played: Played, _ checks: Checks, after: () -> [Finding]) throws -> CaseOutcome {
        var log = played.log
        var metrics = CaseMetrics(played.metrics, sampleRate: facts.sampleRate)
        if !choice.scenario.hasBackground { metrics.background = nil }
        metrics.add(log)
        metrics.add(checks.content)
        var findings = [played.stuck].compactMap(\.self) + checks.before
        let isPlatforms = facts.lacksBackground && metrics.background == BackgroundOutcome.paused.rawValue
        let own = Set(facts.budgets.map(\.metric.rawValue))
        findings += rules.findings(
            for: name,
            log: log,
            background: isPlatforms ? nil : metrics.background,
            headroom: choice.network.headroom(over: facts.peakBandwidth, of: log),
            metrics: metrics,
            tags: facts.tags
        ).filter { finding in
            // A title's own budget replaces one of a rule.
            !choice.scenario.withoutRules.contains(finding.rule)
                && finding.evidence.place?.metric.map(own.contains) != true
        }
        findings += facts.budgets.compactMap { $0.finding(in: metrics) }
        findings += checks.content.flatMap(\.findings) + checks.specification.filter { !$0.isRemark }
        if isPlatforms, !facts.statesLack { findings.append(lack) }
        findings += choice.adapted.remarks + after() + checks.specification.filter(\.isRemark)
        findings = findings.map { $0.without(facts.secrets) }
        let end = log.events.last?.at ?? .zero
        for finding in findings where !finding.isRemark {
            log.append(.finding(rule: finding.rule, message: finding.message.text), at: end)
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
            story: task.wantsStories ? RunTimeline(log: log, findings: findings).without(facts.secrets) : nil,
            steps: played.steps,
            stepsSeconds: played.stepsSeconds,
            servingSeconds: played.servingSeconds
        )
        outcome.skippedSteps = choice.adapted.skipped
        outcome.verified = ContentVerification(checks.content)
        outcome.trace = TransitionTrace(log: played.log)
        return outcome
    }
}

extension PlayedCase {
    /// The remark that the title has nothing for the background.
    private var lack: Finding {
        let words: Message =
            "the title has no rendition for the background, so \(name.platform) paused its audio with the video; the key background: none states this"
        return Finding(.noBackground, words)
    }
}

extension Finding {
    func without(_ secrets: Secrets) -> Finding {
        guard !secrets.isEmpty else { return self }
        var finding = Finding(rule: rule, message: message.replacing(secrets.removed), at: at, evidence: evidence)
        (finding.known, finding.requirement) = (known, requirement)
        return finding
    }
}
