internal import SegueBase
internal import SegueData
internal import SegueEvents
internal import SegueFetch
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueTime

/// A session and its simulated network, in virtual time.
///
/// It orders its own events of one instant, as a scenario run does, and is one lane of virtual time: the app's work,
/// and that of other queues, comes before or after all of the engine's work at an instant.
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

    /// Receives each notice to the app.
    var told: (AppNews) -> Void = { _ in }

    /// True if property values are observed.
    var isObserved = false

    /// Called when observed properties may have changed, by a call of the app or without one.
    var changed: (_ isByCall: Bool) -> Void = { _ in }

    /// The network path to the server.
    struct Path {
        let network: LinkProfile
        let window: ReceiveWindow

        /// The response time of the server.
        let think: Duration

        let seed: UInt64
    }

    /// An engine whose player has an empty queue.
    init(_ session: PlaybackSession, over path: Path, to server: Server, _ schedule: VirtualSchedule) {
        self.schedule = schedule
        let loop = EventLoop<Payload>(pace: .virtual)
        self.loop = loop
        let fetcher = SimulatedFetcher(
            profile: path.network,
            seed: path.seed,
            receiveWindow: path.window,
            think: path.think,
            respond: { request in server.answer(request, at: loop.now - .zero) },
            loop: FetchLoop(
                deliver: { event, at in loop.schedule(.session(.fetch(event)), at: at, priority: .arrival) },
                wake: { at in loop.schedule(.network, at: at, priority: .arrival) },
                // The app's next action can be anything.
                horizon: { [loop.nextInstant, schedule.horizon].compactMap(\.self).min() }
            )
        )
        self.fetcher = fetcher
        let runner = SessionRunner(session: session, loop: loop, fetcher: fetcher, embed: Payload.session)
        self.runner = runner
        fetcher.collect = { [unowned runner] part, at in runner.handle(.fetch(part), at: at) }
        runner.told = { [unowned self] news, _ in told(news) }
    }

    /// The session now, with everything done that was due.
    var session: PlaybackSession {
        advance()
        return runner.session
    }

    /// The events so far.
    var log: EventLog {
        advance()
        return runner.log
    }

    /// The access log of every item.
    var accessLog: String { session.extendedAccessLog(at: now) }

    var now: Instant { schedule.now }

    /// Carries out a command now.
    func send(_ command: SessionCommand) {
        advance()
        fetcher.handOn()
        runner.handle(.command(command), at: now)
        plan()
        if isObserved { changed(true) }
    }

    /// Replaces the network.
    func become(_ network: LinkProfile) {
        advance()
        fetcher.handOn()
        fetcher.become(network, at: now)
        runner.note(.linkChanged(link: "", network: network.name), at: now)
        plan()
    }

    /// Injects a fault into requests from now on; nil removes all faults.
    func plant(_ fault: RequestFault?) {
        advance()
        fetcher.handOn()
        if let fault { fetcher.add(fault) } else { fetcher.removeAddedFaults() }
        plan()
    }

    /// Records an action of the user.
    func note(number: Int, _ words: String) {
        advance()
        runner.note(.stepBegan(number: number, step: words), at: now)
    }

    /// The position of the current item's playhead.
    var position: Duration { session.position(at: now) }

    /// Returns the instant at which the playhead reaches a position if nothing changes; nil if it does not move.
    func instant(whenAt target: Duration) -> Instant? {
        let session = session
        guard session.player.timeControl == .playing else { return nil }
        return session.instant(whenAt: target, at: now)
    }

    /// The metrics up to now.
    var metrics: SessionMetrics { session.metrics(at: now) }

    /// Does everything that is due.
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

    /// Schedules the next wakeup.
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
