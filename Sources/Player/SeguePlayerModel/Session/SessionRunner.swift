package import SegueBase
package import SegueEvents
package import SegueFetch

/// Runs a session on an event loop: sends its requests, and keeps its timers and its log.
///
/// The loop's payload can be any type that includes session inputs, so that scenarios can put their own events into the
/// loop.
package final class SessionRunner<Payload: Sendable> {
    package private(set) var session: PlaybackSession

    /// The events so far.
    package private(set) var log = EventLog()

    /// Receives each complete resource.
    package var delivered: (DeliveredResource, Instant) -> Void = { _, _ in }

    /// Receives each event as it is logged.
    package var logged: (EventKind, Instant) -> Void = { _, _ in }

    /// Receives each notice to an app outside of the session.
    package var told: (AppNews, Instant) -> Void = { _, _ in }

    // For inlinable code, which is compiled in the modules that use it.

    package let loop: EventLoop<Payload>

    /// The fetcher that sends the requests.
    package let fetcher: any Fetching

    /// Wraps an input in a payload.
    package let embed: (SessionInput) -> Payload

    /// The timers that the session has set.
    package var timers: [Int: EventToken] = [:]

    /// A runner on a loop whose handler passes the inputs of this session to ``handle(_:at:)``.
    package init(
        session: PlaybackSession,
        loop: EventLoop<Payload>,
        fetcher: any Fetching,
        embed: @escaping (SessionInput) -> Payload
    ) {
        self.session = session
        self.loop = loop
        self.fetcher = fetcher
        self.embed = embed
    }

    /// Carries out a command now.
    @inlinable package func send(_ command: SessionCommand) { handle(.command(command), at: loop.now) }

    /// Appends an event of the caller to the log.
    @inlinable package func note(_ kind: EventKind, at now: Instant) {
        keep(kind, at: now)
        logged(kind, now)
    }

    /// Handles an input, carries out the effects, and returns whether there were any.
    @inlinable @discardableResult
    package func handle(_ input: SessionInput, at now: Instant) -> Bool {
        if case .timer(let token) = input { timers[token] = nil }
        let effects = take(input, at: now)
        carryOut(effects, at: now)
        return !effects.isEmpty
    }

    /// Flushes all received data, at the end of a run.
    @inlinable package func finish(at now: Instant) { carryOut(handOn(at: now), at: now) }

    // The code that changes the session and the log, which is independent of the payload.

    package func take(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        session.handle(input, at: now)
    }

    package func handOn(at now: Instant) -> [SessionEffect] { session.handOn(at: now) }

    package func keep(_ kind: EventKind, at now: Instant) { log.append(kind, at: now) }

    @inlinable func carryOut(_ effects: [SessionEffect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .fetch(let request): fetcher.start(request, at: now)
            case .cancel(let id): fetcher.cancel(id, at: now)
            case .read(let id): fetcher.read(id, at: now)
            case .stopReading(let id): fetcher.stopReading(id, at: now)
            case .timer(let instant, let token): timers[token] = loop.schedule(embed(.timer(token)), at: instant)
            case .cancelTimer(let token):
                if let planned = timers.removeValue(forKey: token) { loop.cancel(planned) }
            case .log(let kind): note(kind, at: now)
            case .told(let news): told(news, now)
            case .delivered(let resource): delivered(resource, now)
            }
        }
    }
}

extension SessionRunner where Payload == SessionInput {
    /// Runs the loop until no event is left, or the next one lies after the limit.
    @discardableResult
    package func run(until limit: Instant? = nil) -> EventLoop<Payload>.Ending {
        loop.run(until: limit) { input, now in self.handle(input, at: now) }
    }

    /// A runner on a loop whose payloads are session inputs.
    package convenience init(session: PlaybackSession, loop: EventLoop<SessionInput>, fetcher: any Fetching) {
        self.init(session: session, loop: loop, fetcher: fetcher, embed: { $0 })
    }
}
