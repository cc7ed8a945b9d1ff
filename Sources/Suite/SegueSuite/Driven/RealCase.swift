internal import Foundation
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel

/// Plays one case on a real player, in real time, and judges it as one of the model.
struct RealCase {
    let played: PlayedCase
    let real: any RealPlaying
    /// What starts the player's driver.
    let command: String
    let progress: FileProgress

    /// Plays.
    ///
    /// - Parameters:
    ///   - item: What is played, as a server in this process would have it.
    ///   - base: What that server's URLs begin with.
    ///   - begin: Puts a network before the server; takes it, its seed, and who is told what happens on it.
    ///   - content: What came of comparing each rendition that is delivered with the source.
    ///   - before: Findings that were made before.
    ///   - after: Findings that are made afterwards.
    /// - Throws: The system's error where the log cannot be written.
    func play(
        _ item: ItemAddress,
        of base: String,
        behind begin: (LinkProfile, UInt64, @escaping @Sendable (EventKind) -> Void) throws -> any RealNetwork,
        content: [ContentCheck.Outcome],
        before: [Finding],
        after: () -> [Finding]
    ) throws -> CaseOutcome {
        let choice = played.choice
        let run = DrivenRun(choice.scenario)
        run.note(played.beginning)
        let begun = ContinuousClock.now
        run.logged = { [progress, name = played.name.platform] kind, now in
            guard case .stepBegan(let number, let words) = kind else { return }
            progress.reached("\(name): step \(number), \(words), at \(Int(now.seconds)) s")
        }
        let stuck: Finding?
        do {
            let network = try begin(choice.network, UInt64(bitPattern: Int64(played.name.seed)), run.tell)
            defer { network.end() }
            let driver = try real.start(command) { [progress, name = played.name.platform] in
                progress.reached("\(name): waits for the player, which plays another case")
            }
            var faults: [RequestFault] = []
            let stage = PlayerStage(
                driver: driver,
                items: [item.moved(from: base, to: network.base)]
            ) { change in
                switch change {
                case .become(let profile):
                    try network.become(profile)
                    return profile.name
                case .fault(let fault):
                    faults.append(fault)
                    try network.meet(faults)
                case .mend:
                    faults = []
                    try network.meet([])
                }
                return nil
            }
            stuck = run.run(on: stage)
        } catch {
            let finding = Finding(.notRun, "\(error)")
            return CaseOutcome(CaseResult(name: played.name, verdict: .broken, findings: [finding]))
        }
        if let stuck, stuck.rule == Finding.Own.notDriven.rawValue {
            return CaseOutcome(CaseResult(name: played.name, verdict: .skip, findings: [stuck]))
        }
        var ran = PlayedCase.Played(log: run.log, metrics: run.metrics, stuck: stuck, steps: run.stepsDone)
        ran.stepsSeconds = (ContinuousClock.now - begun).seconds
        let left = run.omissions.map { Finding(.notDriven, $0) }
        let found = run.missed + before + left + observed(run)
        return try played.outcome(of: ran, content: content, before: found, after: after)
    }

    /// What a recording shows of what the player said of itself, where its driver made one.
    private func observed(_ run: DrivenRun) -> [Finding] {
        guard let recording = run.hello?.recording else { return [] }
        progress.reached("\(played.name.platform): reads what was recorded")
        do {
            let seen = try real.observe(recording, of: played.name.file, against: run.log)
            return [Finding(.observed, seen.summary)]
                + seen.unobserved.map { Finding(.unobserved, $0.words, at: $0.at) }
        } catch {
            return [Finding(.observed, "nothing could be observed: \(error)")]
        }
    }
}

extension ItemAddress {
    /// What its URLs begin with: scheme, host and port; nil where they are no URLs.
    var base: String? {
        guard let scheme = full.range(of: "://") else { return nil }
        let end = full[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? full.endIndex
        return String(full[..<end])
    }

    /// The same item on another server.
    func moved(from base: String, to other: String) -> ItemAddress {
        let move = { (url: String) in url.hasPrefix(base) ? other + url.dropFirst(base.count) : url }
        return ItemAddress(full: move(full), background: background.map(move), multivariant: multivariant.map(move))
    }
}
