internal import SegueBase
internal import SegueCharts
internal import SegueComparison
internal import SegueConcurrency
internal import SegueEvents
internal import SegueFFmpeg
internal import SegueNetworkModel
internal import SegueOrigin
internal import SeguePackager
internal import SeguePlayerModel
package import SegueVerification

/// Runs all cases of one file in this process: serves it, plays it in virtual time, compares the delivered content with
/// the file, and judges the logs.
package struct FileRunner {
    private let task: FileTask
    private let data: CaseData?
    private let verified: VerifiedContent?
    private let progress: FileProgress
    private let cores: Cores
    private let real: (any RealPlaying)?

    /// `progress` records each step.
    ///
    /// `cores` are the limit on busy threads, including the caller's. `verified` are earlier verifications; nil for
    /// none. `real` is the factory for real players; nil for none.
    package init(
        task: FileTask,
        progress: FileProgress,
        cores: Cores = Cores(),
        verified: VerifiedContent? = nil,
        real: (any RealPlaying)? = nil
    ) {
        self.init(task: task, data: nil, verified: verified, progress: progress, cores: cores, real: real)
    }

    /// `data` is the data files if they are already read.
    init(
        task: FileTask,
        data: CaseData?,
        verified: VerifiedContent?,
        progress: FileProgress,
        cores: Cores,
        real: (any RealPlaying)?
    ) {
        self.real = real
        self.task = task
        self.data = data
        self.verified = verified
        self.progress = progress
        self.cores = cores
    }

    /// Runs the cases.
    ///
    /// - Parameter tell: Receives each outcome, in order.
    /// - Throws: ``HarnessError`` or ``LibraryError`` if a data file or the file itself is gone, or an error of `tell`.
    package func run(_ tell: (CaseOutcome) throws -> Void) throws {
        progress.reached("opening the file")
        let data = try self.data ?? CaseData(task.sources)
        for cases in task.cases.groupedByDevice { try run(cases, with: data, tell) }
    }

    /// Runs consecutive cases of one device.
    private func run(_ cases: [CaseName], with data: CaseData, _ tell: (CaseOutcome) throws -> Void) throws {
        guard let first = cases.first else { return }
        let cancellation = Cancellation()
        let device = try data.device(of: first)
        let origin: ItemOrigin
        do {
            origin = try ItemOrigin(
                path: task.path,
                device: device.profile,
                progress: progress,
                cancellation: cancellation
            )
        } catch let error as LibraryError {
            return try cases.ended(.skip, Finding(.unplayable, Message(quoting: error.message))).forEach(tell)
        }
        defer { origin.close() }
        let memory = verified?.memory(of: origin.item, device: device.checksum, progress)
        let known = memory?.recall(ServedFile.self, ServedFile.name, of: .place)?.value
        if let known { origin.remember(known.answers) }
        let inspected = task.profile == .none ? nil : InspectedSegments()
        var check = ContentCheck(
            origin: origin,
            inspected: inspected,
            memory: memory,
            progress: progress,
            cores: cores,
            cancellation: cancellation
        )
        var specification = FileSpecificationCheck(
            origin,
            segments: inspected ?? InspectedSegments(),
            memory: memory,
            progress: progress,
            waiving: data.waivers
        )
        // The presentation stays open while the file is processed.
        var presentation: Presentation?
        defer { withExtendedLifetime(presentation) {} }
        var file: ServedFile
        if let known {
            file = known
        } else {
            do throws(PackagingError) {
                let opened = try origin.presentation()
                presentation = opened
                file = ServedFile(opened, &check)
            } catch {
                return try unopened(error, of: cases, tell)
            }
        }
        defer { file.keep(origin.remembered, in: memory, isNew: known == nil) }
        if let finding = file.nothingPlayable { return try cases.ended(.skip, finding).forEach(tell) }
        let served = file.served
        for name in cases {
            progress.reached(name)
            let choice = try data.choice(for: name)
            if let need = file.missing(choice.scenario.needs) {
                try tell(CaseOutcome(CaseResult(name: name, verdict: .skip, findings: [need])))
            } else if let item = served.item(of: origin) {
                let facts = PlayedCase.Facts(sampleRate: served.sampleRate, peakBandwidth: served.peakBandwidth ?? 0)
                let played = PlayedCase(task: task, rules: data.rules, name: name, choice: choice, facts: facts)
                try tell(
                    try run(played, at: item, of: served, from: origin, checking: &check, &specification)
                )
            } else {
                let judgement = data.rules.judgement(of: served.refusals(for: choice.scenario), in: name)
                let result = CaseResult(name: name, verdict: judgement.verdict, findings: judgement.findings)
                try tell(CaseOutcome(result))
            }
        }
    }

    private func run(
        _ played: PlayedCase,
        at item: ItemAddress,
        of served: ServedRenditions,
        from origin: ItemOrigin,
        checking check: inout ContentCheck,
        _ specification: inout FileSpecificationCheck
    ) throws -> CaseOutcome {
        let choice = played.choice
        // The comparison comes first: it uses all free cores to make segments, which the server keeps for the players.
        let renditions = served.renditions(for: choice.scenario)
        let content = renditions.map { check.outcome(of: $0) }
        var checks = PlayedCase.Checks(content: content, before: served.refusals(for: choice.scenario))
        checks.specification = renditions.flatMap { specification.findings(of: $0, in: task.profile) }
        let after = {
            let damage = check.sourceDamage(isAllDelivered: content.allSatisfy(\.findings.isEmpty))
            return [damage].compactMap(\.self) + served.unserved + served.undecoded
        }
        switch choice.player {
        case .model(let platform, let app):
            return try played.play(
                item,
                on: platform,
                app: app,
                checks: checks,
                after: after,
                respond: origin.respond
            )
        case .real(let command):
            guard let real else { throw CaseDataError(name: played.name.platform) }
            let stage = RealCase(played: played, real: real, command: command, progress: progress)
            return try stage.play(
                item,
                of: origin.base,
                behind: { try real.serve(FileNames.text(task.path), over: $0, seed: $1, tell: $2) },
                checks: checks,
                after: after
            )
        }
    }

    /// Reports the results of a file that cannot be served.
    private func unopened(_ error: PackagingError, of cases: [CaseName], _ tell: (CaseOutcome) throws -> Void) throws {
        switch error.reason {
        case .unreadable, .unfinished, .notMedia, .nothingPlayable, .encrypted:
            try cases.ended(.skip, Finding(.unplayable, Message(quoting: error.message))).forEach(tell)
        default: try cases.ended(.fail, Finding(.unopened, Message(quoting: error.message))).forEach(tell)
        }
    }
}

extension [CaseName] {
    /// The cases in groups of consecutive ones with the same device.
    var groupedByDevice: [[CaseName]] {
        reduce(into: []) { groups, name in
            if let last = groups.last?.first, last.device == name.device {
                groups[groups.count - 1].append(name)
            } else {
                groups.append([name])
            }
        }
    }
}
