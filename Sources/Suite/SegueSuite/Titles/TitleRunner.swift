internal import SegueBase
internal import SegueComparison
internal import SegueEvents
internal import SegueFetch
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueVerification

/// Runs all cases of one title in this process: loads its playlists, plays it in virtual time with the server's
/// measured times, compares the content with its source if there is one, and judges the logs.
package struct TitleRunner {
    private let task: FileTask
    private let title: Title
    private let data: CaseData
    private let server: any TitleServer
    private let bodies: TitleBodies
    /// Earlier verifications; nil for none.
    var verified: VerifiedContent?
    /// Records each step.
    var progress = FileProgress(path: [])
    /// The limit on busy threads, including the caller's.
    var cores = Cores()
    /// The factory for real players; nil for none.
    var real: (any RealPlaying)?

    /// `bodies` are the store for responses.
    ///
    /// - Throws: ``HarnessError`` for a data file that no longer exists.
    package init(task: FileTask, title: Title, server: any TitleServer, bodies: TitleBodies) throws {
        self.init(task: task, title: title, data: try CaseData(task.sources), server: server, bodies: bodies)
    }

    /// `data` is the data files, already read.
    ///
    /// `bodies` are the store for responses.
    init(task: FileTask, title: Title, data: CaseData, server: any TitleServer, bodies: TitleBodies) {
        (self.task, self.title, self.data, self.server, self.bodies) = (task, title, data, server, bodies)
    }

    /// Runs the cases.
    ///
    /// - Parameter tell: Receives each outcome, in order.
    /// - Throws: A failure that prevents any results, or an error of `tell`.
    package func run(_ tell: (CaseOutcome) throws -> Void) throws {
        for cases in task.cases.groupedByDevice {
            var title = title
            if let device = cases.first?.device { title.url = ServedItemURL.naming(device, in: title.url) }
            try run(cases, of: title, tell)
        }
    }

    /// Runs consecutive cases of one device.
    private func run(_ cases: [CaseName], of title: Title, _ tell: (CaseOutcome) throws -> Void) throws {
        progress.reached("requesting the title")
        let origin = TitleOrigin(title, server: server, bodies: bodies, think: task.think, progress: progress)
        let plan: TitlePlan
        do throws(TitleError) {
            plan = try TitlePlan(title) { url, range throws(TitleError) in try origin.resource(at: url, range: range) }
        } catch {
            try origin.check()
            let isDown = error.reason == .noServer
            let finding = Finding(isDown ? .noServer : .unopened, Message(quoting: error.description))
                .without(title.secrets)
            return try cases.ended(isDown ? .broken : .fail, finding).forEach(tell)
        }
        guard !plan.isLive else {
            let why = "is live: its playlist has no end, and virtual time does not follow the server's clock"
            let finding = Finding(.needs, "\(value: title.url) \(why)").without(title.secrets)
            return try cases.ended(.skip, finding).forEach(tell)
        }
        var facts = PlayedCase.Facts(
            peakBandwidth: plan.peakBandwidth,
            tags: title.tags,
            budgets: title.budgets,
            secrets: title.secrets
        )
        facts.lacksBackground = plan.item.background == nil && plan.hasVideo != false
        facts.statesLack = title.background == .none
        var content = TitleContent(
            title,
            plan,
            origin: origin,
            memory: title.source.flatMap { verified?.memory(ofSource: $0, progress) },
            progress: progress,
            cores: cores
        )
        var specification = TitleSpecificationCheck(title, plan, origin: origin)
        for name in cases {
            progress.reached(name)
            let choice = try data.choice(for: name)
            if let need = plan.missing(choice.scenario.needs) {
                try tell(skipped(name, need))
                continue
            }
            var played = PlayedCase(task: task, rules: data.rules, name: name, choice: choice, facts: facts)
            played.measured = origin.measured
            var checks = PlayedCase.Checks(
                content: choice.scenario.renditions.flatMap { content.outcomes(of: $0) }
            )
            checks.specification = specification.findings(for: choice.scenario, in: task.profile)
            _ = origin.measured()
            switch choice.player {
            case .model(let platform, let app):
                let outcome = try played.play(
                    plan.item,
                    on: platform,
                    app: app,
                    checks: checks,
                    respond: origin.respond
                )
                try origin.check()
                try tell(outcome)
            case .real(let command): try tell(try drive(played, of: plan.item, by: command, checks))
            }
        }
    }

    /// Plays a case on a real player, with a network before the title's own server.
    private func drive(
        _ played: PlayedCase,
        of item: ItemAddress,
        by command: String,
        _ checks: PlayedCase.Checks
    ) throws -> CaseOutcome {
        guard let real, item.full.hasPrefix("http://"), let base = item.base else {
            let words: Message =
                "through the link, real players reach only titles with http:// URLs, since certificates are bound to hosts"
            return skipped(played.name, Finding(.notDriven, words))
        }
        let stage = RealCase(played: played, real: real, command: command, progress: progress)
        return try stage.play(
            item,
            of: base,
            behind: { try real.reach(base, over: $0, seed: $1, tell: $2) },
            checks: checks
        )
    }

    private func skipped(_ name: CaseName, _ finding: Finding) -> CaseOutcome {
        CaseOutcome(CaseResult(name: name, verdict: .skip, findings: [finding.without(title.secrets)]))
    }
}

extension TitlePlan {
    /// The needs of a scenario that the title does not meet; nil if it meets all or they are unknown.
    func missing(_ needs: Scenario.Needs) -> Finding? {
        var missing: [Message] = []
        if needs.audio, hasAudio == false { missing.append("audio: it has none") }
        if needs.video, hasVideo == false { missing.append("video: it has none") }
        if needs.seekable, let segmentCount, segmentCount < 2 {
            missing.append("at least 2 segments: it has \(segmentCount)")
        }
        if let duration, needs.seconds > duration {
            missing.append("at least \(needs.seconds.seconds, places: 6) s: it has \(duration.seconds, places: 6) s")
        }
        guard !missing.isEmpty else { return nil }
        return Finding(.needs, "the scenario needs \(missing.joined(separator: ", and "))")
    }
}
