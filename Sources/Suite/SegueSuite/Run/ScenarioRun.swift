package import SegueBase
package import SegueEvents
package import SegueFetch
package import SegueNetworkModel
internal import SeguePackager
package import SeguePlayerModel

/// Plays items by a scenario on an event loop: the player with its platform and app, the network, and the user's
/// script.
package final class ScenarioRun {
    package enum Payload: Sendable {
        case session(SessionInput)
        /// The time to advance the simulated network.
        case network
        /// The time to check the script.
        case script
        /// The request to end the run, with a reason.
        case end(String)
    }

    /// The settings of a run.
    package struct Setup: Sendable {
        /// The scenario without the steps that the platform or app does not support.
        package let adapted: AdaptedScenario
        /// The items in the order of the queue.
        package var items: [ItemAddress]
        package var platform: PlatformProfile
        /// The app policy; nil for an app without background handling.
        package var app: AppProfile?
        package var seed: UInt64
        /// The server's time for each request, in virtual time; by default that of the scenario.
        package var think: Duration
        /// The client's time before it sends a request, in virtual time; zero unless a machine's reaction times are
        /// known.
        package var reaction = Duration.zero
        /// The lateness of the script after a wait, like that of a machine's timer; zero except to test its effects.
        package var lateness = Duration.zero

        package init(
            scenario: Scenario,
            items: [ItemAddress],
            platform: PlatformProfile,
            app: AppProfile?,
            seed: UInt64
        ) {
            adapted = AdaptedScenario(scenario, platform: platform, app: app)
            self.items = items
            self.platform = platform
            self.app = app
            self.seed = seed
            think = scenario.think
        }
    }

    /// Called for each event.
    package var logged: (EventKind, Instant) -> Void = { _, _ in }

    /// Called for each complete resource.
    package var delivered: (DeliveredResource, Instant) -> Void = { _, _ in }

    package var log: EventLog { runner.log }

    /// The metrics up to now.
    package var metrics: SessionMetrics { runner.session.metrics(at: loop.now) }

    /// The played stretches up to now.
    package var stretches: [AudioTrail.Stretch] { runner.session.player.trail.stretches(at: loop.now) }

    /// The audible switches up to now.
    package var switches: [AudioTrail.Switch] { runner.session.switches(at: loop.now) }

    /// The number of an item's source; renditions of one source share it.
    package func source(of item: ItemID) -> Int { runner.session.sourceNumber(of: item) }

    package var isFailed: Bool { runner.session.isFailed }

    /// The number of steps that are done.
    package var stepsDone: Int { script.stepsDone }

    /// The access log of all items up to now, in the W3C extended log file format.
    package var accessLog: String { runner.session.extendedAccessLog(at: loop.now) }

    /// The error log of all items, in the same format.
    package var errorLog: String { runner.session.extendedErrorLog }

    /// The current time of the run.
    package var now: Instant { loop.now }

    private let setup: Setup
    private let loop: EventLoop<Payload>
    private let runner: SessionRunner<Payload>
    private let simulated: SimulatedFetcher?
    private var script: ScenarioScript
    private var failure: Message?
    private var endedBecause = "the scenario is done"
    private var planned: (at: Instant, token: EventQueue<Payload>.Token)?

    /// A run in virtual time over a simulated network.
    ///
    /// `respond` is the server. It may block, which takes no virtual time.
    package init(_ setup: Setup, network: LinkProfile, respond: @escaping SimulatedFetcher.Responder) {
        let loop = EventLoop<Payload>(pace: .virtual)
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: setup.seed,
            receiveWindow: setup.platform.loading.requesting.receiveWindow,
            think: setup.think,
            respond: respond,
            loop: FetchLoop(
                deliver: { event, at in loop.schedule(.session(.fetch(event)), at: at, priority: .arrival) },
                wake: { at in loop.schedule(.network, at: at, priority: .arrival) },
                horizon: { loop.horizon }
            )
        )
        fetcher.reaction = setup.reaction
        self.setup = setup
        self.loop = loop
        simulated = fetcher
        let runner = SessionRunner(session: setup.session, loop: loop, fetcher: fetcher, embed: Payload.session)
        // A partial response that may be coalesced has no effects.
        fetcher.collect = { [unowned runner] part, at in runner.handle(.fetch(part), at: at) }
        self.runner = runner
        script = ScenarioScript(setup.adapted.scenario, items: setup.items)
    }

    /// A run in real time over the machine's own network.
    ///
    /// `scale` is the speed relative to real time; above 0. `connect` creates the fetcher, which passes responses to a
    /// recipient.
    ///
    /// - Throws: ``FetchError`` if requests cannot be sent.
    package init(
        _ setup: Setup,
        inRealTimeBy scale: Double,
        connect: (FetchRecipient) throws(FetchError) -> any Fetching
    ) throws(FetchError) {
        let loop = EventLoop<Payload>(pace: .real(scale: scale))
        let fetcher = try connect(FetchRecipient(mailbox: loop.mailbox) { Payload.session(.fetch($0)) })
        self.setup = setup
        self.loop = loop
        simulated = nil
        runner = SessionRunner(session: setup.session, loop: loop, fetcher: fetcher, embed: Payload.session)
        script = ScenarioScript(setup.adapted.scenario, items: setup.items)
    }

    /// Ends the run early, from any thread.
    ///
    /// The log records the reason.
    package var end: @Sendable (String) -> Void {
        { [mailbox = loop.mailbox] reason in mailbox.post(.end(reason)) }
    }

    /// Runs the script to its end.
    ///
    /// - Returns: Nil if the script finished or the run was ended from outside, otherwise the finding: `step-failed`,
    ///   or `no-progress` if no event can happen any more.
    package func run() -> Finding? {
        runner.logged = { [unowned self] kind, now in logged(kind, now) }
        runner.delivered = { [unowned self] resource, now in delivered(resource, now) }
        plan(at: loop.now)
        let ending = loop.run { [unowned self] payload, now in handle(payload, at: now) }
        simulated?.handOn()
        runner.finish(at: loop.now)
        let misdeclaration: Message = runner.log.misdeclaration.map { "; \($0)" } ?? ""
        if let failure = failure.map({ $0 + misdeclaration }) {
            runner.note(.caseEnded(reason: failure.text), at: loop.now)
            return Finding(.stepFailed, failure, at: loop.now.seconds, evidence: script.evidence)
        }
        guard ending == .idle else {
            runner.note(.caseEnded(reason: endedBecause), at: loop.now)
            return nil
        }
        let state: Message = "\(script.description); \(runner.session.stateDescription(at: loop.now))" + misdeclaration
        runner.note(.caseEnded(reason: "no progress: \(state)"), at: loop.now)
        return Finding(.noProgress, state, at: loop.now.seconds, evidence: script.evidence)
    }

    /// Adds an event to the log, at the current time of the run.
    package func note(_ kind: EventKind) { runner.note(kind, at: loop.now) }

    private func handle(_ payload: Payload, at now: Instant) {
        switch payload {
        case .session(let input):
            if case .fetch = input {} else { simulated?.handOn() }
            let isNews = runner.handle(input, at: now)
            // Most parts of a resource change nothing that a script waits for.
            if !isNews, case .fetch(.data) = input { return }
        case .network:
            // The network's effects arrive as inputs of the session.
            simulated?.wake(at: now)
            return
        case .script:
            planned = nil
            simulated?.handOn()
            return follow(at: now)
        case .end(let reason):
            endedBecause = reason
            simulated?.handOn()
            return loop.stop()
        }
        plan(at: now)
    }

    /// Performs everything that the script has to do now.
    private func follow(at now: Instant) {
        while true {
            switch script.next(for: ScenarioScript.View(runner.session, runner.log, at: now)) {
            case .done: return loop.stop()
            case .fail(let reason), .miss(let reason):
                failure = reason
                return loop.stop()
            case .begin(let number, let words, let deed):
                runner.note(.stepBegan(number: number, step: words), at: now)
                switch deed {
                case .commands(let commands): for command in commands { runner.send(command) }
                case .network(let change): carryOut(change, at: now)
                case .nothing: break
                }
            case .wait(let until):
                if let until { plan(at: until + setup.lateness) }
                return
            }
        }
    }

    /// Changes the simulated network; a run in real time has none.
    private func carryOut(_ change: Scenario.NetworkChange, at now: Instant) {
        switch change {
        case .become(let profile):
            simulated?.become(profile, at: now)
            runner.note(.linkChanged(link: "", network: profile.name), at: now)
        case .fault(let fault): simulated?.add(fault)
        case .mend: simulated?.removeAddedFaults()
        }
    }

    /// Schedules a check of the script after all other events of that moment.
    private func plan(at instant: Instant) {
        if let planned {
            if planned.at <= instant { return }
            loop.cancel(planned.token)
        }
        planned = (instant, loop.schedule(.script, at: instant, priority: .settled))
    }
}

extension ScenarioRun.Setup {
    fileprivate var session: PlaybackSession { PlaybackSession(platform: platform, app: app, seed: seed) }
}
