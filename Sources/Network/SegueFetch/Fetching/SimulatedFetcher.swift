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

    private static let connectionsPerHost = 6
    /// The maximum number of steps in one call, and the time between two of them.
    private static let mostSteps = 10_000
    private static let longestStep = Duration.seconds(10)
    static let chunkSize = 64 << 10
    static let chunkDelay = Duration.milliseconds(100)

    /// The connections to a host that the requests of one lane share.
    struct Pool {
        /// The host and port.
        let authority: String
        var idle: [SimulatedLink.Connection] = []
        var open = 0
        var waiting: [FetchID] = []
    }

    enum Timer {
        /// The client is ready to send a request.
        case started(FetchID)
        case resolved(String)
        case patience(FetchID)
        case failure(FetchID, FetchError)
        /// The server sends more of the body.
        case more(FetchID, bytes: Int)
        /// The connection closes after the body.
        case ending(FetchID)
    }

    let link: SimulatedLink
    private var dns: Duration
    let think: Duration
    private let reaction: Duration
    let respond: Responder
    let deliver: (FetchEvent, Instant) -> Void
    private let wake: (Instant) -> Void
    private let horizon: () -> Instant?
    var log: RequestLog?
    private let seed: UInt64
    /// The network's own faults.
    var faults: FaultPlan
    /// The time at which the present network began.
    var networkBegan = Instant.zero
    var added: FaultPlan
    /// The number of response bytes on each open connection.
    var sent: [SimulatedLink.Connection: Int] = [:]

    var jobs: [FetchID: Job] = [:]
    var pools: [String: Pool] = [:]
    /// The resolved hosts, and those that are being resolved.
    private var resolved: Set<String> = []
    private var resolving: Set<String> = []
    var owners: [SimulatedLink.Connection: FetchID] = [:]
    /// Requests that were cancelled on their way to the server, which answers them nevertheless.
    var orphans: [SimulatedLink.Connection: FetchRequest] = [:]
    var timers = EventQueue<Timer>()
    private var plannedWake: Instant?
    private var hasSpoken = false
    /// The time of the latest event, which the loop may not have processed.
    private(set) var spokeAt: Instant?

    /// Receives parts of bodies directly, however late, before the next event; nil for an event per part.
    ///
    /// Only requests with ``FetchRequest/mayBeGathered`` use it.
    package var collect: ((FetchEvent, Instant) -> Void)?
    /// The requests with parts that may not have been delivered.
    var gathering: [FetchID] = []

    /// Creates a fetcher on a link.
    ///
    /// - Parameters:
    ///   - seed: The seed of all randomness.
    ///   - receiveWindow: The receive window of the client.
    ///   - think: The server's time to answer a request, in virtual time.
    ///   - reaction: The client's time to send a request.
    ///   - deliver: Schedules an event of a request for the present instant, with the priority of arrivals.
    ///   - wake: Schedules a call of ``wake(at:)``; unnecessary calls are harmless.
    ///   - horizon: The instant before which nothing happens except on the link; nil if nothing is scheduled. Events on
    ///     the link before it that need no delivery do not need a call each.
    ///   - observe: Receives the events of requests for the timeline; nil if the player logs them itself.
    package init(
        profile: LinkProfile,
        seed: UInt64,
        receiveWindow: ReceiveWindow = .tuned,
        think: Duration,
        reaction: Duration = .zero,
        respond: @escaping Responder,
        deliver: @escaping (FetchEvent, Instant) -> Void,
        wake: @escaping (Instant) -> Void,
        horizon: @escaping () -> Instant? = { .zero },
        observe: ((EventKind, Instant) -> Void)? = nil
    ) {
        link = SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow)
        self.seed = seed
        faults = FaultPlan(profile, seed: seed)
        added = FaultPlan(seed: seed)
        dns = profile.dns
        self.think = think
        self.reaction = reaction
        self.respond = respond
        self.deliver = deliver
        self.wake = wake
        self.horizon = horizon
        log = observe.map(RequestLog.init)
    }

    package func start(_ request: FetchRequest, at now: Instant) {
        log?.began(request, at: now)
        guard let url = FetchURL(request.url) else {
            let error = FetchError(.badURL, "not an HTTP URL: \(request.url)")
            timers.schedule(.failure(request.id, error), at: now)
            return plan(at: now)
        }
        let job = Job(request, url, at: now)
        jobs[request.id] = job
        if reaction > .zero {
            timers.schedule(.started(request.id), at: now + reaction)
        } else {
            line(up: request.id, job, at: now)
        }
        plan(at: now)
    }

    /// Queues a request for a connection to its host.
    private func line(up id: FetchID, _ job: Job, at now: Instant) {
        let authority = job.url.authority
        pools[job.pool, default: Pool(authority: authority)].waiting.append(id)
        if dns == .zero { resolved.insert(authority) }
        if !resolved.contains(authority), resolving.insert(authority).inserted {
            timers.schedule(.resolved(authority), at: now + dns)
        }
        serve(job.pool, at: now)
    }

    package func cancel(_ id: FetchID, at now: Instant) {
        guard let job = jobs[id] else { return }
        log?.cancelled(id, at: now)
        abandon(id, job, at: now)
        plan(at: now)
    }

    package func read(_ id: FetchID, at now: Instant) {
        guard let job = jobs[id], job.isUnread else { return }
        advance(to: now)
        job.isUnread = false
        job.began = now
        if job.patience == nil { job.patience = timers.schedule(.patience(id), at: now + job.request.patience) }
        if let connection = job.connection {
            link.hold(0, .down, on: connection, at: now)
            receive(id, bytes: job.unread, on: connection, at: now)
        }
        plan(at: now)
    }

    package func stopReading(_ id: FetchID, at now: Instant) {
        guard let job = jobs[id], !job.isUnread else { return }
        advance(to: now)
        job.isUnread = true
        if let connection = job.connection { link.stopTaking(.down, on: connection, at: now) }
        plan(at: now)
    }

    /// Switches to another network, whose time begins now; added faults remain.
    package func become(_ profile: LinkProfile, at now: Instant) {
        advance(to: now)
        link.become(profile, at: now)
        faults = FaultPlan(profile, seed: seed)
        networkBegan = now
        dns = profile.dns
        plan(at: now)
    }

    /// Adds a fault for requests that arrive at the server from now on.
    package func add(_ fault: RequestFault) { added.add(fault) }

    package func removeAddedFaults() { added = FaultPlan(seed: seed) }

    /// Processes everything that is due; called at a scheduled wake.
    ///
    /// The caller does nothing else at that instant, because the link may advance to the horizon.
    package func wake(at now: Instant) {
        advance(to: now)
        var end = horizon()
        for _ in 0..<Self.mostSteps {
            guard let next = nextInstant, end.map({ next < $0 }) ?? true else { break }
            hasSpoken = false
            let limit = next + Self.longestStep
            step(until: end.map { min(limit, $0 + .nanoseconds(-1)) } ?? limit)
            // A delivered event moves the horizon to itself.
            if hasSpoken { end = horizon() }
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
        wake(max(next, now))
    }

    private func handle(_ timer: Timer, at now: Instant) {
        switch timer {
        case .started(let id):
            guard let job = jobs[id] else { return }
            line(up: id, job, at: now)
        case .resolved(let authority):
            resolving.remove(authority)
            resolved.insert(authority)
            // In the order of the requests, independent of the dictionary's order.
            let waiting = pools.filter { $0.value.authority == authority && !$0.value.waiting.isEmpty }
            for (pool, _) in waiting.sorted(by: { $0.value.waiting[0].number < $1.value.waiting[0].number }) {
                serve(pool, at: now)
            }
        case .failure(let id, let error): send(.failed(id, error), at: now)
        case .patience(let id):
            guard let job = jobs[id] else { return }
            // An unread response has no time limit.
            guard !job.isUnread else {
                job.patience = nil
                return
            }
            let latest = job.connection.flatMap { link.latestArrival(on: $0) } ?? job.began
            let end = max(job.began, latest) + job.request.patience
            guard end <= now else {
                job.patience = timers.schedule(.patience(id), at: end)
                return
            }
            let error = FetchError(.timedOut, "no byte for \(job.request.patience): \(job.request.url)")
            fail(id, job, error, at: now)
        case .more(let id, let bytes):
            guard let job = jobs[id], let connection = job.connection else { return }
            write(bytes, id, on: connection, at: now)
        case .ending(let id):
            guard let job = jobs[id] else { return }
            abandon(id, job, at: now)
            send(.finished(id), at: now)
        }
    }

    private func handle(_ output: SimulatedLink.Output, at now: Instant) {
        switch output {
        case .connected, .accepted, .delivered, .finished(_, .down), .hasRoom: break
        case .finished(let connection, .up): link.farewell(connection, at: now)
        case .reset(let connection, .up): orphans[connection] = nil
        case .unanswered(let connection): lose(connection, .cannotConnect, "the server does not answer", at: now)
        case .reset(let connection, .down): lose(connection, .connectionLost, "the connection was reset", at: now)
        case .requested(let connection):
            if let request = orphans.removeValue(forKey: connection) {
                return answer(request, on: connection, at: now)
            }
            guard let id = owners[connection] else { return }
            answer(id, on: connection, at: now)
        case .received(let connection, let bytes):
            guard let id = owners[connection] else { return }
            receive(id, bytes: bytes, on: connection, at: now)
        }
    }

    /// Assigns queued requests to idle connections, and opens new connections within the limit per host.
    func serve(_ pool: String, at now: Instant) {
        guard var host = pools[pool], resolved.contains(host.authority) else { return }
        while !host.waiting.isEmpty, !host.idle.isEmpty || host.open < Self.connectionsPerHost {
            let id = host.waiting.removeFirst()
            guard let job = jobs[id] else { continue }
            let connection: SimulatedLink.Connection
            if let oldest = host.idle.indices.min(by: { host.idle[$0] < host.idle[$1] }) {
                connection = host.idle.remove(at: oldest)
            } else {
                connection = link.connect(at: now)
                if job.url.scheme == "https" { link.secure(.tls13, on: connection, at: now) }
                host.open += 1
            }
            owners[connection] = id
            job.connection = connection
            job.began = now
            job.patience = timers.schedule(.patience(id), at: now + job.request.patience)
            if job.isUnread { link.stopTaking(.down, on: connection, at: now) }
            link.request(bytes: job.url.size(of: job.request), on: connection, at: now)
        }
        pools[pool] = host
    }

    func fail(_ id: FetchID, _ job: Job, _ error: FetchError, at now: Instant) {
        abandon(id, job, at: now)
        send(.failed(id, error), at: now)
    }

    /// Handles a connection that ended without the client.
    private func lose(
        _ connection: SimulatedLink.Connection,
        _ reason: FetchError.Reason,
        _ why: String,
        at now: Instant
    ) {
        defer { orphans[connection] = nil }
        if let id = owners[connection], let job = jobs[id] {
            if case .failed(let error) = job.answer?.ending { return fail(id, job, error, at: now) }
            return fail(id, job, FetchError(reason, "\(why): \(job.request.url)"), at: now)
        }
        sent[connection] = nil
        for (pool, host) in pools {
            guard let index = host.idle.firstIndex(of: connection) else { continue }
            pools[pool]?.idle.remove(at: index)
            pools[pool]?.open -= 1
        }
    }

    /// Drops a request; HTTP/1.1 can stop a response only by closing the connection.
    func abandon(_ id: FetchID, _ job: Job, at now: Instant) {
        handOnGathered(at: now)
        forget(id)
        if let connection = job.connection {
            owners[connection] = nil
            if job.answer == nil { orphans[connection] = job.request }
            drop(connection, of: job.pool, at: now)
        } else {
            pools[job.pool]?.waiting.removeAll { $0 == id }
        }
        serve(job.pool, at: now)
    }

    /// Closes a connection from the client's end.
    func drop(_ connection: SimulatedLink.Connection, of pool: String, at now: Instant) {
        sent[connection] = nil
        link.leave(connection, at: now)
        pools[pool]?.open -= 1
    }

    func forget(_ id: FetchID) {
        gathering.removeAll { $0 == id }
        if let token = jobs.removeValue(forKey: id)?.patience { timers.cancel(token) }
    }

    func send(_ event: FetchEvent, at now: Instant) {
        handOnGathered(at: now)
        log?.happened(event, at: now)
        (hasSpoken, spokeAt) = (true, now)
        deliver(event, now)
    }
}
