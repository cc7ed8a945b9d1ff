internal import SegueBase
internal import SegueData
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueSearch
internal import SegueTime

/// The trials of a search, one world after the other.
@MainActor struct TrialStage {
    let platform: String
    let network: Network?
    let server: Server?
    let app: App
    /// The changes to the app's declarations, of which a run makes one or none.
    let variations: [DeclarationVariation]
    let start: @MainActor (World) throws -> Any

    /// Returns the controls that an app declares.
    func vocabulary() async throws -> Vocabulary {
        let trial = Trial(seed: 0, conditions: .ideal, length: Self.lengths[0], steps: [])
        return try await inWorld(of: trial) { world in
            let buttons = world.user.buttons
            var vocabulary = Vocabulary(
                buttons: Act.Button.allCases.filter { button in
                    User.Button(rawValue: button.rawValue).map { buttons.simple[$0] != nil } ?? false
                }
            )
            vocabulary.named = buttons.named.map(\.name)
            vocabulary.seeks = buttons.seek != nil
            vocabulary.rates = buttons.rates
            vocabulary.titles = buttons.count
            vocabulary.hasOwnNetwork = network == nil
            vocabulary.variations = variations.count
            if try KnownProfiles.platform(platform).audioSession.silencedBySwitch.contains(
                app.audioSession.settings.category
            ) {
                vocabulary.surroundings += [.silentSwitch(true), .silentSwitch(false)]
            }
            vocabulary.lengths = server == nil ? Self.lengths : [Self.lengths[0]]
            return vocabulary
        }
    }

    private static let lengths = [600, 60, 20, 8]

    /// Runs a trial, in which a hang of the app's code is a violation.
    func run(_ trial: Trial) async throws -> (outcome: Outcome, log: EventLog, picture: () -> String) {
        do {
            return try await play(trial)
        } catch let error as VirtualTimeError {
            guard let hang = Outcome.Broken(hang: error) else { throw error }
            return (Outcome(broken: [hang], footprint: Footprint(EventLog())), EventLog(), { "" })
        }
    }

    private func play(_ trial: Trial) async throws -> (outcome: Outcome, log: EventLog, picture: () -> String) {
        try await inWorld(of: trial) { world in
            for step in trial.paced {
                if step.after > .zero { try await Task.sleep(for: step.after) }
                try carryOut(step.act, in: world, base(of: trial))
            }
            try await Task.sleep(for: Trial.settling)
            let log = world.engine.log
            let broken = world.brokenWithFollowers.compactMap { broken in
                name(of: broken.rule, in: trial, log).map {
                    Outcome.Broken(rule: $0, message: broken.message, at: broken.at)
                }
            }
            let title = broken.first?.message ?? ""
            return (Outcome(broken: broken, footprint: Footprint(log)), log, { world.picture(title: title) })
        }
    }

    /// Returns the name of a violation: that of its rule, or of the change to the app's declarations that causes it.
    ///
    /// It is nil for a violation of a changed app with another cause.
    private func name(of rule: String, in trial: Trial, _ log: EventLog) -> String? {
        guard let variation = trial.variation else { return rule }
        return log.misdeclaration != nil && ["silent", "background"].contains(rule) ? variations[variation].name : nil
    }

    private func app(of trial: Trial) -> App {
        guard let variation = trial.variation else { return app }
        var copy = app
        copy.declarations = variations[variation].declarations
        return copy
    }

    private func inWorld<Value>(
        of trial: Trial,
        _ body: @escaping @MainActor (World) async throws -> Value
    ) async throws -> Value {
        let kept = Kept<Value>()
        try await virtualTime(seed: trial.seed) {
            let world = try World(
                platform: platform,
                network: base(of: trial),
                server: server ?? .titles(duration: .seconds(trial.length)),
                app: app(of: trial),
                think: .milliseconds(trial.conditions.think),
                seed: max(1, trial.seed)
            )
            let app = try start(world)
            kept.value = try await body(world)
            withExtendedLifetime(app) {}
        }
        guard let value = kept.value else { throw CancellationError() }
        return value
    }

    /// The result of a run, returned from virtual time.
    @MainActor private final class Kept<Value> {
        var value: Value?
    }

    private func base(of trial: Trial) -> Network { network ?? Network(trial.conditions.network) }

    private func carryOut(_ act: Act, in world: World, _ base: Network) throws {
        // A suspended app has no controls on the screen, and does not receive those elsewhere.
        if act.isOfUser, world.device.isSuspended { return }
        let (user, device) = (world.user, world.device)
        switch act {
        case .press(let button): if let button = User.Button(rawValue: button.rawValue) { user.press(button) }
        case .named(let name): user.press(name)
        case .seek(let place): user.seek(to: .seconds(place))
        case .rate(let rate): user.set(rate: rate)
        case .choose(let index): user.choose(index)
        case .goHome: device.goHome()
        case .lock: device.lock()
        case .comeBack: device.comeBack()
        case .interrupt: device.interrupt()
        case .endInterruption(let shouldResume): device.endInterruption(shouldResume: shouldResume)
        case .route(let route): if let route = Device.Route(rawValue: route.rawValue) { device.change(to: route) }
        case .remote(let button, _): if let button = User.Button(rawValue: button.rawValue) { user.press(button) }
        case .resetServices: device.resetMediaServices()
        case .silentSwitch(let isSilent): device.setSilentSwitch(isSilent)
        case .warnOfMemory: device.warnOfMemory()
        case .lowPower(let isEnabled): device.setLowPowerMode(isEnabled)
        case .network(let conditions): try world.setNetwork(Network(conditions.network))
        case .offline: try world.setNetwork(.broken)
        case .online: try world.setNetwork(base)
        case .fault(let trouble, let kind, let count): world.plant(trouble.fault(kind, count))
        case .mend: world.removePlantedFaults()
        }
    }

    /// Returns a finding with its texts.
    func finding(_ found: Found) async throws -> ExploreResult.Finding {
        let breaking = try await run(found.trial)
        var keeping: EventLog?
        if let border = found.border { keeping = try await run(border.keeper).log }
        return ExploreResult.Finding(
            rule: found.broken.rule,
            message: found.broken.message,
            explanation: found.explanation(breaking: breaking.log, keeping: keeping),
            steps: found.trial.steps.count,
            runs: found.runs,
            test: TrialText(
                found.trial,
                platform,
                rule: found.broken.rule,
                app: found.trial.variation.map { _ in app(of: found.trial) },
                hasNetwork: network == nil,
                hasServer: server == nil
            ).description,
            picture: breaking.picture()
        )
    }
}

extension Act.Trouble {
    fileprivate func fault(_ kind: Act.Kind, _ count: Int?) -> Fault {
        let fault: Fault
        switch self {
        case .status(let status): fault = .status(status)
        case .reset(let bytes): fault = .reset(after: bytes)
        case .stall(let seconds): fault = .stall(for: .seconds(seconds))
        case .truncation(let bytes): fault = .truncation(after: bytes)
        }
        return fault.meeting(kind: Fault.Kind(rawValue: kind.rawValue), count: count)
    }
}

extension Outcome {
    /// True if the app's code hangs.
    var hangs: Bool { broken.contains { $0.rule == Broken.hang } }
}

extension Outcome.Broken {
    /// The violation that an error of virtual time shows; nil if the error is not due to the app's code.
    fileprivate init?(hang error: VirtualTimeError) {
        let time: Duration, words: String
        switch error {
        case .blocked(let after, let real, let place):
            time = after
            words = "the app's code blocked its thread for \(real) of real time, here: \(place)"
        case .stuck(let after, let waits):
            time = after
            words = "the app's code waits for something that never happens: \(waits.joined(separator: "; "))"
        case .standstill(let at, let steps):
            time = at
            words = "the app's code ran \(steps) times at one instant without time passing"
        case .limit, .escaped, .nested, .unsupported: return nil
        }
        let line = words.split { $0.isWhitespace }.joined(separator: " ")
        self.init(rule: Self.hang, message: line, at: time)
    }
}
