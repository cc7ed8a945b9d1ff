internal import Events
internal import Fetch
internal import Link
internal import Notation
internal import Player
internal import Timeline
internal import Verification

/// Runs all cases of one title, in this process: asks its server for what there is, plays it in virtual time with the
/// server's own times, compares what was delivered with the source where there is one, and reads the logs.
package struct TitleRunner {
    private let task: FileTask
    private let title: Title
    private let data: CaseData
    private let server: any TitleServer
    private let progress: FileProgress

    /// A runner of a title's cases, in the process that asks for it.
    ///
    /// - Parameters:
    ///   - task: The cases.
    ///   - title: The title.
    ///   - server: The title's server.
    /// - Throws: ``HarnessError`` for a data file that is not there any more.
    package init(task: FileTask, title: Title, server: any TitleServer) throws {
        let data = try CaseData(task.sources)
        self.init(task: task, title: title, data: data, server: server, progress: FileProgress(path: []))
    }

    /// A runner of a title's cases.
    ///
    /// - Parameters:
    ///   - task: The cases.
    ///   - title: The title.
    ///   - data: The data files, which have been read already.
    ///   - server: The title's server.
    ///   - progress: Is told of each step.
    init(task: FileTask, title: Title, data: CaseData, server: any TitleServer, progress: FileProgress) {
        (self.task, self.title, self.data, self.server, self.progress) = (task, title, data, server, progress)
    }

    /// Runs the cases.
    ///
    /// - Parameter tell: Is told what came of each, in their order.
    /// - Throws: What keeps results from being made at all, or what `tell` throws.
    package func run(_ tell: (CaseOutcome) throws -> Void) throws {
        progress.reached("asking for the title")
        let origin = try TitleOrigin(title, server: server, think: task.think, progress: progress)
        let plan: TitlePlan
        do throws(TitleError) {
            plan = try TitlePlan(title) { url, range throws(TitleError) in try origin.bytes(of: url, range: range) }
        } catch {
            let isThere = error.reason != .noServer
            return try all(.fail, Finding(isThere ? .unopened : .noServer, error.description), tell)
        }
        guard !plan.isLive else {
            let why = "is live: its playlist has no end, and the server's clock is not the one of virtual time"
            return try all(.skip, Finding(.needs, "\(title.url) \(why)"), tell)
        }
        let facts = PlayedCase.Facts(
            peakBandwidth: plan.peakBandwidth,
            tags: title.tags,
            budgets: title.budgets,
            secrets: title.secrets
        )
        for name in task.cases {
            progress.reached(
                "running \(name.scenario), \(name.platform), \(name.app), \(name.network), seed \(name.seed)"
            )
            let choice = try data.choice(for: name)
            if let need = plan.missing(choice.scenario.needs) {
                try tell(outcome(name, .skip, need))
                continue
            }
            let played = PlayedCase(task: task, rules: data.rules, name: name, choice: choice, facts: facts)
            _ = origin.measured()
            try tell(played.play(plan.item, content: [], respond: origin.respond, measured: origin.measured))
        }
    }

    private func all(_ verdict: Verdict, _ finding: Finding, _ tell: (CaseOutcome) throws -> Void) throws {
        for name in task.cases { try tell(outcome(name, verdict, finding)) }
    }

    private func outcome(_ name: CaseName, _ verdict: Verdict, _ finding: Finding) -> CaseOutcome {
        CaseOutcome(CaseResult(name: name, verdict: verdict, findings: [finding.without(title.secrets)]))
    }
}

extension TitlePlan {
    /// What a scenario needs and the title has not; nil where it has all, or nobody knows.
    func missing(_ needs: Scenario.Needs) -> Finding? {
        var missing: [String] = []
        if needs.sound, hasSound == false { missing.append("sound: it has none") }
        if needs.picture, hasPicture == false { missing.append("a picture: it has none") }
        if needs.seekable, let segmentCount, segmentCount < 2 { missing.append("two segments: it has \(segmentCount)") }
        if let duration, needs.seconds > duration {
            let lengths = [needs.seconds, duration].map { DecimalText.short($0.seconds) }
            missing.append("\(lengths[0]) s: it has \(lengths[1])")
        }
        guard !missing.isEmpty else { return nil }
        return Finding(.needs, "the scenario needs \(missing.joined(separator: ", and "))")
    }
}
