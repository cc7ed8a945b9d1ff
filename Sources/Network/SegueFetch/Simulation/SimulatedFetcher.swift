package import SegueBase
package import SegueData
package import SegueEvents
package import SegueNetworkModel

/// A fetcher in virtual time: a responder in the process defines the response, and a simulated link its timing.
///
/// Like browsers and AVPlayer, it opens up to six connections per host, keeps them, and queues further requests. Like
/// ``LiveFetcher``, it prefers the oldest idle connection. It belongs to the thread of the run's loop, and only the
/// responder blocks. An `https` URL costs the handshake of TLS 1.3. Requests meet the faults of the network.
package final class SimulatedFetcher: Fetching {
    /// The server in the process: returns the head and the whole body, which is not copied.
    ///
    /// It is called when the request arrives at the server. The default of `content-length` is the size of the body; a
    /// greater value closes the connection before the body is complete.
    package typealias Responder = (FetchRequest) -> (response: FetchResponse, body: FetchBytes)

    /// The maximum number of steps in one call, and the time between two of them.
    private static let mostSteps = 10_000
    private static let longestStep = Duration.seconds(10)

    let link: SimulatedLink
    let server: SimulatedServer
    private let loop: FetchLoop
    let delivery: FetchDelivery
    private var dns: Duration
    var pools = ConnectionPools()
    var transfers: [FetchID: SimulatedTransfer] = [:]
    var timers = EventQueue<FetchTimer>()
    private var plannedWake: Instant?

    /// The client's time to send a request.
    package var reaction = Duration.zero

    /// Receives parts of bodies directly, however late, before the next event; nil for an event per part.
    ///
    /// Only requests with ``FetchRequest/mayBeGathered`` use it.
    package var collect: ((FetchEvent, Instant) -> Void)? {
        get { delivery.collect }
        set { delivery.collect = newValue }
    }

    /// Creates a fetcher on a link.
    ///
    /// - Parameters:
    ///   - seed: The seed of all randomness.
    ///   - receiveWindow: The receive window of the client.
    ///   - think: The server's time to answer a request, in virtual time.
    package init(
        profile: LinkProfile,
        seed: UInt64,
        receiveWindow: ReceiveWindow = .tuned,
        think: Duration,
        respond: @escaping Responder,
        loop: FetchLoop
    ) {
        link = SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow)
        server = SimulatedServer(profile, seed: seed, think: think, respond: respond)
        dns = profile.dns
        self.loop = loop
        delivery = FetchDelivery(from: link, to: loop)
    }

    /// Logs the events of requests for the timeline, if the player does not log them itself.
    package func observe(_ observe: @escaping (EventKind, Instant) -> Void) { delivery.log = RequestLog(observe) }

    /// Delivers gathered parts; called before the owner of the request does anything else.
    package func handOn() { delivery.handOn() }

    package func start(_ request: FetchRequest, at now: Instant) {
        delivery.log?.began(request, at: now)
        guard let url = FetchURL(request.url) else {
            let error = FetchError(.badURL, "not an HTTP URL", at: request.url)
            timers.schedule(.failure(request.id, error), at: now)
            return plan(at: now)
        }
        let transfer = SimulatedTransfer(request, url, at: now)
        transfers[request.id] = transfer
        if reaction > .zero {
            timers.schedule(.started(request.id), at: now + reaction)
        } else {
            line(up: transfer, at: now)
        }
        plan(at: now)
    }

    /// Queues a request for a connection to its host.
    private func line(up transfer: SimulatedTransfer, at now: Instant) {
        let authority = transfer.url.authority
        pools.enqueue(transfer)
        if dns == .zero { pools.markResolved(authority) }
        if pools.resolve(authority) { timers.schedule(.resolved(authority), at: now + dns) }
        serve(transfer.pool, at: now)
    }

    package func cancel(_ id: FetchID, at now: Instant) {
        guard let transfer = transfers[id] else { return }
        delivery.log?.cancelled(id, at: now)
        abandon(transfer, at: now)
        plan(at: now)
    }

    package func read(_ id: FetchID, at now: Instant) {
        guard let transfer = transfers[id], transfer.isUnread else { return }
        advance(to: now)
        transfer.isUnread = false
        transfer.began = now
        if transfer.patience == nil {
            transfer.patience = timers.schedule(.patience(id), at: now + transfer.request.patience)
        }
        if let connection = transfer.connection {
            link.hold(0, .down, on: connection, at: now)
            if transfers[id] != nil { receive(transfer, bytes: transfer.progress.reported, at: now) }
        }
        plan(at: now)
    }

    package func stopReading(_ id: FetchID, at now: Instant) {
        guard let transfer = transfers[id], !transfer.isUnread else { return }
        advance(to: now)
        transfer.isUnread = true
        if let connection = transfer.connection { link.stopTaking(.down, on: connection, at: now) }
        plan(at: now)
    }

    /// Switches to another network, whose time begins now; added faults remain.
    package func become(_ profile: LinkProfile, at now: Instant) {
        advance(to: now)
        link.become(profile, at: now)
        server.become(profile, at: now)
        dns = profile.dns
        plan(at: now)
    }

    /// Adds a fault for requests that arrive at the server from now on.
    package func add(_ fault: RequestFault) { server.add(fault) }

    package func removeAddedFaults() { server.removeAddedFaults() }

    /// Processes everything that is due; called at a scheduled wake.
    ///
    /// The caller does nothing else at that instant, because the link may advance to the horizon.
    package func wake(at now: Instant) {
        advance(to: now)
        var end = loop.horizon()
        for _ in 0..<Self.mostSteps {
            guard let next = nextInstant, end.map({ next < $0 }) ?? true else { break }
            delivery.hasSpoken = false
            let limit = next + Self.longestStep
            step(until: end.map { min(limit, $0 + .nanoseconds(-1)) } ?? limit)
            // A delivered event moves the horizon to itself.
            if delivery.hasSpoken { end = loop.horizon() }
        }
        plan(at: now)
    }

    private func advance(to now: Instant) {
        if let planned = plannedWake, planned <= now { plannedWake = nil }
        while let next = nextInstant, next <= now { step(until: now) }
    }

    /// Processes the first instant that needs work, beginning with the link.
    private func step(until limit: Instant) {
        let due = timers.nextInstant.map { min($0, limit) } ?? limit
        let news = link.advance(to: due, stopsAtNews: true)
        for (at, output) in news { handle(output, at: at) }
        let reached = news.first?.at ?? due
        while let next = timers.nextInstant, next <= reached, let (at, timer) = timers.popNext() {
            handle(timer, at: max(at, reached))
        }
    }

    private var nextInstant: Instant? {
        guard let onLink = link.nextInstant else { return timers.nextInstant }
        return timers.nextInstant.map { min($0, onLink) } ?? onLink
    }

    private func plan(at now: Instant) {
        guard let next = nextInstant else { return }
        if let planned = plannedWake, planned <= next { return }
        plannedWake = next
        loop.wake(max(next, now))
    }

    private func handle(_ timer: FetchTimer, at now: Instant) {
        switch timer {
        case .started(let id): if let transfer = transfers[id] { line(up: transfer, at: now) }
        case .resolved(let authority):
            pools.markResolved(authority)
            for pool in pools.waitingPools(for: authority) { serve(pool, at: now) }
        case .failure(let id, let error): delivery.send(.failed(id, error), at: now)
        case .patience(let id): if let transfer = transfers[id] { checkPatience(of: transfer, at: now) }
        case .more(let id, let bytes): if let transfer = transfers[id] { write(bytes, of: transfer, at: now) }
        case .ending(let id):
            guard let transfer = transfers[id] else { return }
            abandon(transfer, at: now)
            delivery.send(.finished(id), at: now)
        }
    }

    /// Fails a request without a byte for too long.
    private func checkPatience(of transfer: SimulatedTransfer, at now: Instant) {
        // An unread response has no time limit.
        guard !transfer.isUnread else {
            transfer.patience = nil
            return
        }
        let end = transfer.timesOut(on: link)
        guard end <= now else {
            transfer.patience = timers.schedule(.patience(transfer.id), at: end)
            return
        }
        let error = FetchError(.timedOut, "no byte for \(transfer.request.patience)", at: transfer.request.url)
        fail(transfer, error, at: now)
    }

    private func handle(_ output: LinkOutput, at now: Instant) {
        switch output {
        case .connected, .accepted, .delivered, .finished(_, .down), .hasRoom: break
        case .finished(let connection, .up): link.farewell(connection, at: now)
        case .reset(let connection, .up): server.orphans[connection] = nil
        case .unanswered(let connection):
            lose(connection, .cannotConnect, because: "the server does not answer", at: now)
        case .reset(let connection, .down):
            lose(connection, .connectionLost, because: "the connection was reset", at: now)
        case .requested(let connection):
            if let request = server.orphans.removeValue(forKey: connection) {
                return answer(request, on: connection, at: now)
            }
            guard let transfer = pools.owner(of: connection) else { return }
            answer(transfer, on: connection, at: now)
        case .received(let connection, let bytes):
            guard let transfer = pools.owner(of: connection) else { return }
            receive(transfer, bytes: bytes, at: now)
        }
    }

    /// Assigns queued requests to idle connections, and opens new connections within the limit per host.
    func serve(_ pool: String, at now: Instant) {
        while let transfer = pools.nextRequest(in: pool) {
            let connection = pools.takeIdle(for: transfer) ?? open(for: transfer, at: now)
            transfer.connection = connection
            transfer.began = now
            transfer.patience = timers.schedule(.patience(transfer.id), at: now + transfer.request.patience)
            if transfer.isUnread { link.stopTaking(.down, on: connection, at: now) }
            link.request(bytes: transfer.url.size(of: transfer.request), on: connection, at: now)
        }
    }

    private func open(for transfer: SimulatedTransfer, at now: Instant) -> SimulatedLink.Connection {
        let connection = link.connect(at: now)
        if transfer.url.scheme == "https" { link.secure(.tls13, on: connection, at: now) }
        pools.open(connection, for: transfer)
        return connection
    }

    func fail(_ transfer: SimulatedTransfer, _ error: FetchError, at now: Instant) {
        abandon(transfer, at: now)
        delivery.send(.failed(transfer.id, error), at: now)
    }

    /// Handles a connection that ended without the client.
    private func lose(
        _ connection: SimulatedLink.Connection,
        _ reason: FetchError.Reason,
        because why: String,
        at now: Instant
    ) {
        defer { server.orphans[connection] = nil }
        if let transfer = pools.owner(of: connection) {
            if case .failed(let error) = transfer.answer?.ending { return fail(transfer, error, at: now) }
            return fail(transfer, FetchError(reason, why, at: transfer.request.url), at: now)
        }
        server.forget(connection)
        pools.lose(connection)
    }

    /// Drops a request; HTTP/1.1 can stop a response only by closing the connection.
    private func abandon(_ transfer: SimulatedTransfer, at now: Instant) {
        delivery.handOn(at: now)
        forget(transfer)
        if let connection = transfer.connection {
            pools.release(connection)
            if transfer.answer == nil { server.orphans[connection] = transfer.request }
            drop(connection, of: transfer.pool, at: now)
        } else {
            pools.dequeue(transfer)
        }
        serve(transfer.pool, at: now)
    }

    /// Closes a connection from the client's end.
    func drop(_ connection: SimulatedLink.Connection, of pool: String, at now: Instant) {
        server.forget(connection)
        link.leave(connection, at: now)
        pools.close(in: pool)
    }

    func forget(_ transfer: SimulatedTransfer) {
        delivery.forget(transfer)
        transfers[transfer.id] = nil
        if let token = transfer.patience { timers.cancel(token) }
    }
}
