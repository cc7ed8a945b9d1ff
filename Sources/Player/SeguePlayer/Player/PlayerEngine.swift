internal import SegueBase
internal import SegueData
internal import SegueEvents
internal import SegueFetch
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueTime

/// A session and its simulated network, in a run of virtual time.
///
/// It keeps its own order of what happens at one instant, as a run of scenarios does, and is one lane among the others of
/// virtual time: what the app does, and what is on other queues, comes before or behind all that it does at an instant.
final class PlayerEngine {
    private enum Payload: Sendable {
        case session(SessionInput)
        case network
    }

    private let schedule: VirtualSchedule
    private let loop: EventLoop<Payload>
    private let runner: SessionRunner<Payload>
    private let fetcher: SimulatedFetcher
    private var planned: (at: Instant, token: EventToken?)?

    /// Told of what an app is told, as it is found out.
    var told: (AppNews) -> Void = { _ in }

    /// Whether anybody is to be told when a property becomes another value.
    var isObserved = false

    /// Told then that some may have: by what the app called, or by themselves.
    var changed: (_ isByCall: Bool) -> Void = { _ in }

    /// An engine with nothing in its player's queue.
    init(
        _ session: PlaybackSession,
        window: ReceiveWindow,
        network: LinkProfile,
        server: Server,
        think: Duration,
        seed: UInt64,
        schedule: VirtualSchedule
    ) {
        self.schedule = schedule
        let loop = EventLoop<Payload>(pace: .virtual)
        self.loop = loop
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: seed,
            receiveWindow: window,
            think: think,
            respond: { request in server.answer(request, at: loop.now - .zero) },
            deliver: { event, at in loop.schedule(.session(.fetch(event)), at: at, priority: .arrival) },
            wake: { at in loop.schedule(.network, at: at, priority: .arrival) },
            // What the app does next may be anything.
            horizon: { [loop.nextInstant, schedule.horizon].compactMap(\.self).min() }
        )
        self.fetcher = fetcher
        let runner = SessionRunner(session: session, loop: loop, fetcher: fetcher, embed: Payload.session)
        self.runner = runner
        fetcher.collect = { [unowned runner] part, at in runner.handle(.fetch(part), at: at) }
        runner.told = { [unowned self] news, _ in told(news) }
    }

    /// The session as it is now, with all that was due.
    var session: PlaybackSession {
        advance()
        return runner.session
    }

    /// What happened until now.
    var log: EventLog {
        advance()
        return runner.log
    }

    /// The access log of every item.
    var accessLog: String { session.extendedAccessLog(at: now) }

    /// The present instant.
    var now: Instant { schedule.now }

    /// Carries out a command now.
    func send(_ command: SessionCommand) {
        advance()
        fetcher.handOn()
        runner.handle(.command(command), at: now)
        plan()
        if isObserved { changed(true) }
    }

    /// The network becomes another one.
    func become(_ network: LinkProfile) {
        advance()
        fetcher.handOn()
        fetcher.become(network, at: now)
        runner.note(.linkChanged(link: "", network: network.name), at: now)
        plan()
    }

    /// Something goes wrong with requests from now on; nil has nothing that was planted go wrong any more.
    func plant(_ fault: RequestFault?) {
        advance()
        fetcher.handOn()
        if let fault { fetcher.add(fault) } else { fetcher.removeAddedFaults() }
        plan()
    }

    /// Notes that the user does something.
    func note(number: Int, _ words: String) {
        advance()
        runner.note(.stepBegan(number: number, step: words), at: now)
    }

    /// Where the playhead of the current item is.
    var position: Duration { session.position(at: now) }

    /// When the playhead will be at a position if nothing changes; nil where it does not move.
    func instant(whenAt target: Duration) -> Instant? {
        let session = session
        guard session.player.timeControl == .playing else { return nil }
        return session.instant(whenAt: target, at: now)
    }

    /// What the session was like until now.
    var metrics: SessionMetrics { session.metrics(at: now) }

    /// Has all that is due happen.
    private func advance() {
        guard loop.nextInstant.map({ $0 <= now }) ?? false else { return }
        _ = loop.run(until: now) { payload, now in
            switch payload {
            case .network: fetcher.wake(at: now)
            case .session(let input):
                if case .fetch = input {} else { fetcher.handOn() }
                runner.handle(input, at: now)
            }
        }
        plan()
        if isObserved { changed(false) }
    }

    /// Plans to be woken when something is due next.
    private func plan() {
        guard let next = loop.nextInstant else { return }
        if let planned {
            if planned.at == next { return }
            if let token = planned.token { schedule.cancel(token) }
        }
        planned = (
            next,
            schedule.schedule(at: next) { [weak self] in
                self?.planned = nil
                self?.advance()
            }
        )
    }
}
