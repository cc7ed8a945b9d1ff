internal import Foundation
internal import SegueBase
internal import SegueComparison
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel

/// Plays one case on a real player in real time, and judges it like one of the model.
struct RealCase {
    let played: PlayedCase
    let real: any RealPlaying
    /// The command that starts the driver.
    let command: String
    let progress: FileProgress

    /// Plays the case.
    ///
    /// `item` is the item at the address of a server in this process. `base` is the prefix of that server's URLs.
    /// `begin` puts a network before the server; receives the network, its seed, and a receiver of events. `after`
    /// returns findings from after the run.
    ///
    /// - Throws: The system's error if the log cannot be written.
    func play(
        _ item: ItemAddress,
        of base: String,
        behind begin: (LinkProfile, UInt64, @escaping @Sendable (EventKind) -> Void) throws -> any RealNetwork,
        checks: PlayedCase.Checks,
        after: () -> [Finding] = { [] }
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
                progress.reached("\(name): waiting for the player, which another case uses")
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
            let finding = Finding(.notRun, Message(quoting: "\(error)"))
            return CaseOutcome(CaseResult(name: played.name, verdict: .broken, findings: [finding]))
        }
        if let stuck, stuck.rule == Finding.Own.notDriven.rawValue {
            return CaseOutcome(CaseResult(name: played.name, verdict: .skip, findings: [stuck]))
        }
        var ran = PlayedCase.Played(log: run.log, metrics: run.metrics, stuck: stuck, steps: run.stepsDone)
        ran.stepsSeconds = (ContinuousClock.now - begun).seconds
        let left = run.omissions.map { Finding(.notDriven, Message(words: $0)) }
        var checks = checks
        checks.before = run.missed + checks.before + left + observed(run)
        return try played.outcome(of: ran, checks, after: after)
    }

    /// The comparison with the driver's recording, if there is one.
    private func observed(_ run: DrivenRun) -> [Finding] {
        guard let recording = run.hello?.recording else { return [] }
        progress.reached("\(played.name.platform): reading the recording")
        do {
            let seen = try real.observe(recording, of: played.name.file, against: run.log)
            return [Finding(.observed, seen.summary)]
                + seen.unobserved.map { Finding(.unobserved, $0.words, at: $0.at) }
        } catch {
            return [Finding(.observed, "the recording could not be read: \(quoting: "\(error)")")]
        }
    }
}

extension ItemAddress {
    /// The prefix of the item's URLs: scheme, host, and port; nil for other addresses.
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
