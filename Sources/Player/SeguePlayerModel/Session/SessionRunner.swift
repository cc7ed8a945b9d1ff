package import SegueBase
package import SegueEvents
package import SegueFetch

/// Drives a session on an event loop: makes its requests, keeps its timers and its log.
///
/// The loop's payload may be of any type that session inputs fit into, so that whoever runs scenarios can put events of
/// their own into the same loop.
package final class SessionRunner<Payload: Sendable> {
    /// The session as it is now.
    package private(set) var session: PlaybackSession

    /// What happened so far.
    package private(set) var log = EventLog()

    /// Told of each resource that came whole.
    package var delivered: (DeliveredResource, Instant) -> Void = { _, _ in }

    /// Told of each event as it is logged.
    package var logged: (EventKind, Instant) -> Void = { _, _ in }

    /// Told of what an app is told that is not one of the session's policies.
    package var told: (AppNews, Instant) -> Void = { _, _ in }

    // For this type's own code, which is compiled where it is used.

    /// The loop.
    package let loop: EventLoop<Payload>

    /// What makes the requests.
    package let fetcher: any Fetching

    /// Makes a payload of an input.
    package let embed: (SessionInput) -> Payload

    /// The timers that the session has set.
    package var timers: [Int: EventToken] = [:]

    /// A runner of a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - loop: The loop whose handler calls ``handle(_:at:)`` for the inputs of this session.
    ///   - fetcher: Makes the requests; its events come back through the loop.
    ///   - embed: Makes a loop's payload of an input.
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

    /// Adds an event of the caller's own to the log.
    @inlinable package func note(_ kind: EventKind, at now: Instant) {
        keep(kind, at: now)
        logged(kind, now)
    }

    /// Takes in an input and carries out what the session wants done.
    ///
    /// - Returns: Whether there was anything to be done.
    @inlinable @discardableResult
    package func handle(_ input: SessionInput, at now: Instant) -> Bool {
        if case .timer(let token) = input { timers[token] = nil }
        let effects = take(input, at: now)
        carryOut(effects, at: now)
        return !effects.isEmpty
    }

    /// Has all that came delivered, for the end of a run.
    @inlinable package func finish(at now: Instant) { carryOut(handOn(at: now), at: now) }

    // Where the session and the log are changed, which no payload has to do with.

    /// The session takes in an input.
    package func take(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        session.handle(input, at: now)
    }

    /// The session hands on what it kept.
    package func handOn(at now: Instant) -> [SessionEffect] { session.handOn(at: now) }

    /// The log keeps an event.
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
    /// Runs the loop until nothing is left to happen or the next event lies after a limit.
    @discardableResult
    package func run(until limit: Instant? = nil) -> EventLoop<Payload>.Ending {
        loop.run(until: limit) { input, now in self.handle(input, at: now) }
    }

    /// A runner on a loop that carries nothing but the session's inputs.
    package convenience init(session: PlaybackSession, loop: EventLoop<SessionInput>, fetcher: any Fetching) {
        self.init(session: session, loop: loop, fetcher: fetcher, embed: { $0 })
    }
}
