package import SegueBase
package import SegueEvents
package import SegueFetch
package import SegueNetworkModel
internal import SeguePackager
package import SeguePlayerModel

/// Plays items by a scenario, on a loop of its own: the player with its platform and app, the network, and the script
/// of what the user does.
package final class ScenarioRun {
    /// What happens on the run's loop.
    package enum Payload: Sendable {
        /// Something for the session.
        case session(SessionInput)
        /// The simulated network is to be looked at.
        case network
        /// The script is to be looked at.
        case script
        /// The run is to end, for a reason.
        case end(String)
    }

    /// Who plays what.
    package struct Setup: Sendable {
        /// The script.
        package var scenario: Scenario
        /// The items, in the order of the queue.
        package var items: [ItemAddress]
        /// The platform.
        package var platform: PlatformProfile
        /// The app policy; nil for an app that does nothing about the background.
        package var app: AppProfile?
        /// The seed of everything random.
        package var seed: UInt64
        /// How long the server takes for each request, in virtual time; the scenario's own unless it is known better.
        package var think: Duration
        /// How long the client takes until a request is on its way, in virtual time; zero but where a machine's own times
        /// are known.
        package var reaction = Duration.zero
        /// How late the script acts where it waited for a moment, as a machine's timer has it; zero in virtual time, but
        /// to see what hangs on it.
        package var lateness = Duration.zero

        /// Who plays what.
        package init(
            scenario: Scenario,
            items: [ItemAddress],
            platform: PlatformProfile,
            app: AppProfile?,
            seed: UInt64
        ) {
            self.scenario = scenario
            self.items = items
            self.platform = platform
            self.app = app
            self.seed = seed
            think = scenario.think
        }
    }

    /// Told of each event as it is logged.
    package var logged: (EventKind, Instant) -> Void = { _, _ in }

    /// Told of each resource that came whole.
    package var delivered: (DeliveredResource, Instant) -> Void = { _, _ in }

    /// Everything that happened.
    package var log: EventLog { runner.log }

    /// What the run was like until now.
    package var metrics: SessionMetrics { runner.session.metrics(at: loop.now) }

    /// What was played when, until now.
    package var stretches: [AudioTrail.Stretch] { runner.session.player.trail.stretches(at: loop.now) }

    /// Every switch until now, as it was heard.
    package var switches: [AudioTrail.Switch] { runner.session.switches(at: loop.now) }

    /// A number for the source of an item: renditions of one source have the same.
    package func source(of item: ItemID) -> Int { runner.session.sourceNumber(of: item) }

    /// Whether the current item failed.
    package var isFailed: Bool { runner.session.isFailed }

    /// How many steps of the scenario are over.
    package var stepsDone: Int { script.stepsDone }

    /// The access log of every item until now, in the W3C extended log file format.
    package var accessLog: String { runner.session.extendedAccessLog(at: loop.now) }

    /// The error log of every item, in the same format.
    package var errorLog: String { runner.session.extendedErrorLog }

    /// The present time of the run.
    package var now: Instant { loop.now }

    private let setup: Setup
    private let loop: EventLoop<Payload>
    private let runner: SessionRunner<Payload>
    private let simulated: SimulatedFetcher?
    private var script: ScenarioScript
    private var failure: String?
    private var endedBecause = "the scenario is done"
    private var planned: (at: Instant, token: EventQueue<Payload>.Token)?

    /// A run in virtual time, over a simulated network.
    ///
    /// - Parameters:
    ///   - setup: Who plays what.
    ///   - network: The network.
    ///   - respond: What the server answers; may block, which costs no virtual time.
    package init(_ setup: Setup, network: LinkProfile, respond: @escaping SimulatedFetcher.Responder) {
        let loop = EventLoop<Payload>(pace: .virtual)
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: setup.seed,
            receiveWindow: setup.platform.loading.requesting.receiveWindow,
            think: setup.think,
            reaction: setup.reaction,
            respond: respond,
            deliver: { event, at in loop.schedule(.session(.fetch(event)), at: at, priority: .arrival) },
            wake: { at in loop.schedule(.network, at: at, priority: .arrival) },
            horizon: { loop.horizon }
        )
        self.setup = setup
        self.loop = loop
        simulated = fetcher
        let runner = SessionRunner(session: setup.session, loop: loop, fetcher: fetcher, embed: Payload.session)
        // A part of an answer that may be gathered has no effects.
        fetcher.collect = { [unowned runner] part, at in runner.handle(.fetch(part), at: at) }
        self.runner = runner
        script = ScenarioScript(setup.scenario, items: setup.items)
    }

    /// A run in real time, over the machine's own network.
    ///
    /// - Parameters:
    ///   - setup: Who plays what.
    ///   - scale: How many times faster than real time it runs; above 0.
    ///   - connect: Makes what sends the requests, and leaves what comes of them with a recipient.
    /// - Throws: ``FetchError`` when there can be no requests.
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
        script = ScenarioScript(setup.scenario, items: setup.items)
    }

    /// Ends the run before the script is over, from whatever thread; takes the reason, which the log will tell.
    package var end: @Sendable (String) -> Void {
        { [mailbox = loop.mailbox] reason in mailbox.post(.end(reason)) }
    }

    /// Runs the script to its end.
    ///
    /// - Returns: Nil when the script came to its end, or the run was ended from outside, else the finding that says why not: `step-failed`, or
    ///   `no-progress` where nothing can happen any more.
    package func run() -> Finding? {
        runner.logged = { [unowned self] kind, now in logged(kind, now) }
        runner.delivered = { [unowned self] resource, now in delivered(resource, now) }
        plan(at: loop.now)
        let ending = loop.run { [unowned self] payload, now in handle(payload, at: now) }
        simulated?.handOn()
        runner.finish(at: loop.now)
        if let failure {
            runner.note(.caseEnded(reason: failure), at: loop.now)
            return Finding(.stepFailed, failure, at: loop.now.seconds)
        }
        guard ending == .idle else {
            runner.note(.caseEnded(reason: endedBecause), at: loop.now)
            return nil
        }
        let state = "\(script.description); \(runner.session.stateDescription(at: loop.now))"
        runner.note(.caseEnded(reason: "no progress: \(state)"), at: loop.now)
        return Finding(.noProgress, state, at: loop.now.seconds)
    }

    /// Adds an event to the log, at the present time of the run.
    package func note(_ kind: EventKind) { runner.note(kind, at: loop.now) }

    private func handle(_ payload: Payload, at now: Instant) {
        switch payload {
        case .session(let input):
            if case .fetch = input {} else { simulated?.handOn() }
            let isNews = runner.handle(input, at: now)
            // Most parts of a resource change nothing that a script could wait for.
            if !isNews, case .fetch(.data) = input { return }
        case .network:
            // What it brings comes as inputs of the session.
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

    /// Does all that the script wants done now.
    private func follow(at now: Instant) {
        while true {
            switch script.next(for: ScenarioScript.View(.model(runner.session), runner.log, at: now)) {
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

    /// Changes the simulated network, which a run in real time has not.
    private func carryOut(_ change: Scenario.NetworkChange, at now: Instant) {
        switch change {
        case .become(let profile):
            simulated?.become(profile, at: now)
            runner.note(.linkChanged(link: "", network: profile.name), at: now)
        case .fault(let fault): simulated?.add(fault)
        case .mend: simulated?.removeAddedFaults()
        }
    }

    /// Plans a look at the script, once all else of that moment has happened.
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
