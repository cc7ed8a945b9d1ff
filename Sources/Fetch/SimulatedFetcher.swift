package import Link
package import Timeline

/// Carries out requests in virtual time: a responder in process says what the answer is, a simulated link when it
/// comes.
///
/// Like browsers and AVPlayer it opens up to six connections for each host, keeps them, and lets further requests wait
/// in line. It belongs to the thread of the run's loop. Nothing here blocks but the responder. What TLS would add to
/// `https` is not charged.
package final class SimulatedFetcher: Fetching {
    /// What the server answers, in process: the head and the whole body.
    ///
    /// It is asked when the request has come to the server. Where no `content-length` is given, the body's is meant; a
    /// greater one makes the connection end before the body does.
    package typealias Responder = (FetchRequest) -> (response: FetchResponse, body: [UInt8])

    private static let connectionsPerHost = 6
    private static let chunkSize = 64 << 10
    private static let chunkDelay = Duration.milliseconds(100)

    /// A request with what is known of it.
    private struct Job {
        let request: FetchRequest
        let url: FetchURL
        var connection: SimulatedLink.Connection?
        var response: FetchResponse?
        var headBytes = 0
        var body: [UInt8] = []
        var isTruncated = false
        var hasHead = false
        var delivered = 0
        var deliveredAt = Instant.zero
        var lastByteAt = Instant.zero
        var patience: EventQueue<Timer>.Token?
    }

    private struct Host {
        var isResolved = false
        var idle: [SimulatedLink.Connection] = []
        var open = 0
        var waiting: [FetchID] = []
    }

    private enum Timer {
        case resolved(String)
        case patience(FetchID)
        case failure(FetchID, FetchError)
    }

    private let link: SimulatedLink
    private let dns: Duration
    private let think: Duration
    private let respond: Responder
    private let deliver: (FetchEvent, Instant) -> Void
    private let wake: (Instant) -> Void
    private var log: RequestLog?

    private var jobs: [FetchID: Job] = [:]
    private var hosts: [String: Host] = [:]
    private var owners: [SimulatedLink.Connection: FetchID] = [:]
    private var timers = EventQueue<Timer>()
    private var plannedWake: Instant?

    /// A fetcher on a link.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - seed: The seed of everything random on it.
    ///   - receiveWindow: How many bytes the client lets be on their way on a connection.
    ///   - think: How long the server takes for each request, in virtual time.
    ///   - respond: What the server answers.
    ///   - deliver: Plans an event of a request for an instant, which is the present one; with the priority of arrivals.
    ///   - wake: Plans a call of ``wake(at:)``; calls that are no longer needed do no harm.
    ///   - observe: Is told of each request for the timeline; nil where the player tells already.
    package init(
        profile: LinkProfile,
        seed: UInt64,
        receiveWindow: Int = 3 << 20,
        think: Duration,
        respond: @escaping Responder,
        deliver: @escaping (FetchEvent, Instant) -> Void,
        wake: @escaping (Instant) -> Void,
        observe: ((EventKind, Instant) -> Void)? = nil
    ) {
        link = SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow)
        dns = profile.dns
        self.think = think
        self.respond = respond
        self.deliver = deliver
        self.wake = wake
        log = observe.map(RequestLog.init)
    }

    package func start(_ request: FetchRequest, at now: Instant) {
        log?.began(request, at: now)
        guard let url = FetchURL(request.url) else {
            let error = FetchError(.badURL, "not an HTTP URL: \(request.url)")
            timers.schedule(.failure(request.id, error), at: now)
            return plan(at: now)
        }
        jobs[request.id] = Job(request: request, url: url)
        hosts[url.authority, default: Host()].waiting.append(request.id)
        if hosts[url.authority]?.isResolved == false, hosts[url.authority]?.waiting.count == 1 {
            if dns > .zero {
                timers.schedule(.resolved(url.authority), at: now + dns)
            } else {
                hosts[url.authority]?.isResolved = true
            }
        }
        serve(url.authority, at: now)
        plan(at: now)
    }

    package func cancel(_ id: FetchID, at now: Instant) {
        guard let job = jobs[id] else { return }
        log?.cancelled(id, at: now)
        abandon(id, job, at: now)
        plan(at: now)
    }

    /// Lets everything happen that is due; to be called when a planned wake comes.
    package func wake(at now: Instant) {
        if let planned = plannedWake, planned <= now { plannedWake = nil }
        // What the link and the timers have is taken in order of time, the link first.
        while let next = nextInstant, next <= now {
            for (at, output) in link.advance(to: next) { handle(output, at: at) }
            while let due = timers.nextInstant, due <= next, let (at, timer) = timers.popNext() {
                handle(timer, at: max(at, next))
            }
        }
        plan(at: now)
    }

    private var nextInstant: Instant? { [link.nextInstant, timers.nextInstant].compactMap { $0 }.min() }

    private func plan(at now: Instant) {
        guard let next = nextInstant else { return }
        if let planned = plannedWake, planned <= next { return }
        plannedWake = next
        wake(max(next, now))
    }

    private func handle(_ timer: Timer, at now: Instant) {
        switch timer {
        case .resolved(let authority):
            hosts[authority]?.isResolved = true
            serve(authority, at: now)
        case .failure(let id, let error): send(.failed(id, error), at: now)
        case .patience(let id):
            guard let job = jobs[id] else { return }
            let end = job.lastByteAt + job.request.patience
            guard end <= now else {
                jobs[id]?.patience = timers.schedule(.patience(id), at: end)
                return
            }
            let error = FetchError(.timedOut, "no byte for \(job.request.patience): \(job.request.url)")
            fail(id, job, error, at: now)
        }
    }

    private func handle(_ output: SimulatedLink.Output, at now: Instant) {
        switch output {
        case .connected, .accepted, .unanswered, .delivered, .finished, .reset, .hasRoom: break
        case .requested(let connection):
            guard let id = owners[connection] else { return }
            answer(id, on: connection, at: now)
        case .received(let connection, let bytes):
            guard let id = owners[connection] else { return }
            receive(id, bytes: bytes, on: connection, at: now)
        }
    }

    /// Gives waiting requests to connections that are idle, and opens others as far as a host may have them.
    private func serve(_ authority: String, at now: Instant) {
        guard var host = hosts[authority], host.isResolved else { return }
        while !host.waiting.isEmpty, !host.idle.isEmpty || host.open < Self.connectionsPerHost {
            let id = host.waiting.removeFirst()
            guard let job = jobs[id] else { continue }
            let connection: SimulatedLink.Connection
            if let idle = host.idle.popLast() {
                connection = idle
            } else {
                connection = link.connect(at: now)
                host.open += 1
            }
            owners[connection] = id
            jobs[id]?.connection = connection
            jobs[id]?.lastByteAt = now
            jobs[id]?.patience = timers.schedule(.patience(id), at: now + job.request.patience)
            link.request(bytes: Self.size(of: job.request, job.url), on: connection, at: now)
        }
        hosts[authority] = host
    }

    private func answer(_ id: FetchID, on connection: SimulatedLink.Connection, at now: Instant) {
        guard let request = jobs[id]?.request, let authority = jobs[id]?.url.hostAndPort else { return }
        let (answered, body) = respond(request)
        let response = FetchResponse(
            status: answered.status,
            headers: answered.headers,
            url: answered.url.isEmpty ? request.url : answered.url,
            serverAddress: answered.serverAddress.isEmpty ? authority : answered.serverAddress
        )
        let claimed = response.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        let hasBody = response.status != 204 && response.status != 304
        let sent = hasBody ? body.count : 0
        jobs[id]?.response = response
        jobs[id]?.body = hasBody ? body : []
        jobs[id]?.isTruncated = hasBody && claimed.map { $0 > sent } ?? false
        jobs[id]?.headBytes = Self.size(of: response)
        link.respond(headBytes: Self.size(of: response), bodyBytes: sent, on: connection, at: now + think)
    }

    private func receive(_ id: FetchID, bytes: Int, on connection: SimulatedLink.Connection, at now: Instant) {
        guard let job = jobs[id], let response = job.response else { return }
        jobs[id]?.lastByteAt = now
        let available = bytes - job.headBytes
        guard available >= 0 else { return }
        if !job.hasHead {
            jobs[id]?.hasHead = true
            jobs[id]?.deliveredAt = now
            send(.response(id, response), at: now)
            guard job.body.count <= job.request.limit else {
                let size = "\(job.body.count) bytes, more than the \(job.request.limit) allowed"
                return fail(id, job, FetchError(.tooLarge, "\(size): \(job.request.url)"), at: now)
            }
        }
        let isWhole = available == job.body.count
        let isDue = available - job.delivered >= Self.chunkSize || now - job.deliveredAt >= Self.chunkDelay
        guard isWhole || isDue else { return }
        jobs[id]?.delivered = available
        jobs[id]?.deliveredAt = now
        var position = job.delivered
        while position < available {
            let end = min(available, position + Self.chunkSize)
            send(.data(id, Array(job.body[position..<end])), at: now)
            position = end
        }
        if isWhole { finish(id, job, on: connection, at: now) }
    }

    private func finish(_ id: FetchID, _ job: Job, on connection: SimulatedLink.Connection, at now: Instant) {
        if job.isTruncated {
            let claimed = job.response?.headers.first { $0.name == "content-length" }?.value ?? ""
            let size = "the connection ended after \(job.body.count) of \(claimed) bytes"
            return fail(id, job, FetchError(.truncated, "\(size): \(job.request.url)"), at: now)
        }
        forget(id)
        owners[connection] = nil
        hosts[job.url.authority]?.idle.append(connection)
        send(.finished(id), at: now)
        serve(job.url.authority, at: now)
    }

    private func fail(_ id: FetchID, _ job: Job, _ error: FetchError, at now: Instant) {
        abandon(id, jobs[id] ?? job, at: now)
        send(.failed(id, error), at: now)
    }

    /// Forgets a request; HTTP/1.1 has no way to stop an answer but to close the connection.
    private func abandon(_ id: FetchID, _ job: Job, at now: Instant) {
        forget(id)
        let authority = job.url.authority
        if let connection = job.connection {
            owners[connection] = nil
            link.close(connection, at: now)
            hosts[authority]?.open -= 1
        } else {
            hosts[authority]?.waiting.removeAll { $0 == id }
        }
        serve(authority, at: now)
    }

    private func forget(_ id: FetchID) {
        if let token = jobs.removeValue(forKey: id)?.patience { timers.cancel(token) }
    }

    private func send(_ event: FetchEvent, at now: Instant) {
        log?.happened(event, at: now)
        deliver(event, now)
    }

    /// The size of a request as HTTP/1.1 writes it.
    private static func size(of request: FetchRequest, _ url: FetchURL) -> Int {
        var size = "GET \(url.target) HTTP/1.1\r\nhost: \(url.authority)\r\naccept: */*\r\n\r\n".utf8.count
        for (name, value) in request.headers { size += name.utf8.count + value.utf8.count + 4 }
        if let range = request.range {
            size += "range: bytes=\(range.offset)-\(range.offset + range.length)\r\n".utf8.count
        }
        return size
    }

    /// The size of a response's head as HTTP/1.1 writes it.
    private static func size(of response: FetchResponse) -> Int {
        var size = "HTTP/1.1 200 OK\r\n\r\n".utf8.count
        for (name, value) in response.headers { size += name.utf8.count + value.utf8.count + 4 }
        return size
    }
}
