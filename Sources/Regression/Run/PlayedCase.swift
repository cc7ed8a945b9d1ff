internal import Events
internal import Fetch
internal import Harness
internal import Link
internal import Player
internal import Story
internal import Timeline

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
    ///   - item: What is played.
    ///   - content: What came of comparing each rendition that is delivered with the source.
    ///   - before: Findings that were made before.
    ///   - after: Findings that are made afterwards.
    ///   - respond: What the server answers.
    ///   - measured: What a real server took for each resource that it was asked for; nil for one in this process.
    /// - Returns: What came of it.
    /// - Throws: The system's error where the log cannot be written.
    func play(
        _ item: ItemAddress,
        content: [ContentCheck.Outcome],
        before: [Finding] = [],
        after: () -> [Finding] = { [] },
        respond: @escaping SimulatedFetcher.Responder,
        measured: (() -> [TitleOrigin.Measured])? = nil
    ) throws -> CaseOutcome {
        let setup = ScenarioRun.Setup(
            scenario: choice.scenario,
            items: [item],
            platform: choice.platform,
            app: choice.app,
            seed: UInt64(bitPattern: Int64(name.seed))
        )
        var serving = Duration.zero
        let run = ScenarioRun(setup, network: choice.network) { request in
            let begun = ContinuousClock.now
            defer { serving += ContinuousClock.now - begun }
            return respond(request)
        }
        run.note(
            .caseBegan(
                file: name.file,
                scenario: name.scenario,
                network: name.network,
                platform: name.platform,
                app: name.app,
                seed: name.seed
            )
        )
        let begun = ContinuousClock.now
        let stuck = run.run()
        let took = ContinuousClock.now - begun
        var metrics = CaseMetrics(run.metrics, sampleRate: facts.sampleRate)
        if !choice.scenario.hasBackground { metrics.background = nil }
        for times in measured?() ?? [] {
            run.note(.originMeasured(url: times.url, seconds: times.firstByte.seconds, bitrate: times.rate ?? 0))
        }
        metrics.add(run.log)
        metrics.add(content)
        var findings = [stuck].compactMap(\.self) + before
        findings += rules.findings(
            for: name,
            log: run.log,
            background: metrics.background,
            headroom: choice.network.headroom(over: facts.peakBandwidth, of: run.log),
            metrics: metrics,
            tags: facts.tags
        ).filter { !choice.scenario.withoutRules.contains($0.rule) }
        findings += facts.budgets.compactMap { $0.finding(in: metrics) }
        findings += content.flatMap(\.findings)
        findings += after()
        findings = findings.map { $0.without(facts.secrets) }
        for finding in findings where !finding.isRemark {
            run.note(.finding(rule: finding.rule, message: finding.message))
        }
        if let folder = task.logFolder {
            try CaseLogFile(name, in: folder).write(facts.secrets.removed(from: run.log.jsonLines))
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
            story: task.wantsStories ? RunStory(log: run.log).without(facts.secrets) : nil,
            steps: run.stepsDone,
            stepsSeconds: (took - serving).seconds,
            servingSeconds: serving.seconds
        )
        outcome.verified = ContentVerification(content)
        return outcome
    }
}

extension Finding {
    /// The finding without what is secret.
    func without(_ secrets: Secrets) -> Finding {
        secrets.isEmpty ? self : Finding(rule: rule, message: secrets.removed(from: message), at: at)
    }
}
