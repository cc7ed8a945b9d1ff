internal import Events
internal import Link
internal import Media
internal import Notation
internal import Origin
internal import Packager
internal import Player
internal import Story
internal import Timeline
package import Verification

/// Runs all cases of one file, in this process: serves it, plays it in virtual time, compares what was delivered with
/// the file, and reads the logs.
package struct FileRunner {
    private let task: FileTask
    private let data: CaseData?
    private let progress: FileProgress
    private let cores: Cores

    /// A runner of a file's cases.
    ///
    /// - Parameters:
    ///   - task: The cases.
    ///   - progress: Is told of each step.
    ///   - cores: How many threads may be busy with the file, that of the caller included.
    package init(task: FileTask, progress: FileProgress, cores: Cores = Cores()) {
        self.init(task: task, data: nil, progress: progress, cores: cores)
    }

    /// A runner of a file's cases, whose data files have been read already; nil where they have not.
    init(task: FileTask, data: CaseData?, progress: FileProgress, cores: Cores) {
        self.task = task
        self.data = data
        self.progress = progress
        self.cores = cores
    }

    /// Runs the cases.
    ///
    /// - Parameter tell: Is told what came of each, in their order.
    /// - Throws: ``HarnessError`` or ``LibraryError`` when a data file or the file itself is not there any more, or what
    ///   `tell` throws.
    package func run(_ tell: (CaseOutcome) throws -> Void) throws {
        progress.reached("opening the file")
        let cancellation = Cancellation()
        let data = try self.data ?? CaseData(task.sources)
        let device = data.device
        let origin: ItemOrigin
        do {
            origin = try ItemOrigin(path: task.path, device: device, progress: progress, cancellation: cancellation)
        } catch let error as LibraryError {
            return try all(.skip, Finding(.unplayable, error.message), tell)
        }
        defer { origin.close() }
        let presentation: Presentation
        do throws(PackagingError) {
            presentation = try origin.presentation()
        } catch {
            return try unopened(error, tell)
        }
        var check = ContentCheck(
            origin: origin,
            presentation: presentation,
            progress: progress,
            cores: cores,
            cancellation: cancellation
        )
        let served = ServedRenditions(presentation, origin: origin)
        if let finding = served.nothingPlayable ?? check.nothingPlayable() { return try all(.skip, finding, tell) }
        for name in task.cases {
            progress.reached(
                "running \(name.scenario), \(name.platform), \(name.app), \(name.network), seed \(name.seed)"
            )
            let choice = try data.choice(for: name)
            if let need = FileRunner.missing(choice.scenario.needs, in: presentation, served) {
                try tell(CaseOutcome(CaseResult(name: name, verdict: .skip, findings: [need])))
            } else if let item = served.item {
                try tell(try run(name, choice, item, served, origin, &check, data.rules))
            } else {
                try tell(judged(name, served.refusals(for: choice.scenario), data.rules))
            }
        }
    }

    private func run(
        _ name: CaseName,
        _ choice: CaseData.Choice,
        _ item: ItemAddress,
        _ served: ServedRenditions,
        _ origin: ItemOrigin,
        _ check: inout ContentCheck,
        _ rules: RuleBook
    ) throws -> CaseOutcome {
        // First, as then all that the server makes is made on every core that is free, and kept for the players.
        let content = served.renditions(for: choice.scenario).map { check.outcome(of: $0) }
        let facts = PlayedCase.Facts(sampleRate: served.sampleRate, peakBandwidth: served.peakBandwidth ?? 0)
        let played = PlayedCase(task: task, rules: rules, name: name, choice: choice, facts: facts)
        return try played.play(
            item,
            content: content,
            before: served.refusals(for: choice.scenario),
            after: {
                let damage = check.sourceDamage(isAllDelivered: content.allSatisfy(\.findings.isEmpty))
                return [damage].compactMap(\.self) + served.unserved
            },
            respond: origin.respond
        )
    }

    private func judged(_ name: CaseName, _ findings: [Finding], _ rules: RuleBook) -> CaseOutcome {
        let judgement = rules.judgement(of: findings, in: name)
        return CaseOutcome(CaseResult(name: name, verdict: judgement.verdict, findings: judgement.findings))
    }

    private func all(_ verdict: Verdict, _ finding: Finding, _ tell: (CaseOutcome) throws -> Void) throws {
        for name in task.cases { try tell(CaseOutcome(CaseResult(name: name, verdict: verdict, findings: [finding]))) }
    }

    /// Tells the results where nothing of the file can be served.
    private func unopened(_ error: PackagingError, _ tell: (CaseOutcome) throws -> Void) throws {
        switch error.reason {
        case .unreadable, .notMedia, .nothingPlayable, .encrypted:
            try all(.skip, Finding(.unplayable, error.message), tell)
        default: try all(.fail, Finding(.unopened, error.message), tell)
        }
    }

    /// What a scenario needs and the file has not; nil when it has all.
    private static func missing(
        _ needs: Scenario.Needs,
        in presentation: Presentation,
        _ served: ServedRenditions
    ) -> Finding? {
        var missing: [String] = []
        if needs.sound, let reason = served.noSound { missing.append("sound: \(reason)") }
        if needs.picture, !presentation.source.hasVideo { missing.append("a picture: it has none") }
        if needs.seekable, presentation.plan.segments.count < 2 { missing.append("two segments: it has one") }
        if needs.seconds > presentation.plan.duration {
            let lengths = [needs.seconds, presentation.plan.duration].map { DecimalText.short($0.seconds) }
            missing.append("\(lengths[0]) s: it has \(lengths[1])")
        }
        guard !missing.isEmpty else { return nil }
        return Finding(.needs, "the scenario needs \(missing.joined(separator: ", and "))")
    }
}
