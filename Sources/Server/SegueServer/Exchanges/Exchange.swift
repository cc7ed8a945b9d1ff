import SegueOrigin
import Synchronization

/// A request and what came of it, when it has ended.
struct Exchange: Sendable {
    /// Whose request it was; behind a trusted proxy its client's address.
    var client: ClientAddress
    /// The method and target as sent.
    var method: String
    var target: String
    /// Fields that logs tell; nil where they were not sent.
    var referrer: String?
    var agent: String?
    /// Whether the request was refused for one of the limits that each address has.
    var decision: AddressLimits.Decision
    /// When its head had come.
    var began: ContinuousClock.Instant
    /// The status; nil where no answer had begun when the client left.
    var status: Int?
    /// How many bytes of the body the system has taken.
    var bytes: Int64 = 0
    /// Whether the connection ended before the answer did.
    var leftEarly = false
    /// How long it took from the head of the request to the end of the answer, or to that of the connection.
    var duration = Duration.zero
}

/// The exchanges of one connection that have not ended, in the order of their requests.
///
/// The connection's event loop notes what comes and goes; whoever answers asks what was decided.
final class Exchanges: Sendable {
    /// What whoever answers needs to know of a request.
    struct Turn: Sendable {
        var client: ClientAddress
        var decision: AddressLimits.Decision
    }

    private struct State {
        var open: [Exchange] = []
        /// How many of these somebody answers.
        var asked = 0
    }

    private let state = Mutex(State())
    private let limiter: ClientLimiter?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let report: @Sendable (Exchange) -> Void

    /// None yet.
    ///
    /// - Parameters:
    ///   - limiter: Decides on requests; without one all are answered.
    ///   - now: The time.
    ///   - report: Told of each exchange that has ended; must not block.
    init(
        _ limiter: ClientLimiter? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        report: @escaping @Sendable (Exchange) -> Void = { _ in }
    ) { (self.limiter, self.now, self.report) = (limiter, now, report) }

    /// Notes a request.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - target: Its target, as sent.
    ///   - peer: Whom the connection is with.
    ///   - field: The values of all header fields with a name, in their order.
    func begin(_ method: String, _ target: String, from peer: ClientAddress, field: (_ name: String) -> [String]) {
        let client = limiter?.client(of: peer, field: field) ?? peer
        let exchange = Exchange(
            client: client,
            method: method,
            target: target,
            referrer: field("Referer").first,
            agent: field("User-Agent").first,
            decision: limiter?.begin(client) ?? .answer,
            began: now()
        )
        state.withLock { $0.open.append(exchange) }
    }

    /// The oldest request that nobody answers yet, to be answered now; nil where none was noted.
    func take() -> Turn? {
        state.withLock { state in
            guard state.asked < state.open.count else { return nil }
            defer { state.asked += 1 }
            let exchange = state.open[state.asked]
            return Turn(client: exchange.client, decision: exchange.decision)
        }
    }

    /// Notes that the answer to the oldest request has begun.
    func answer(_ status: Int) { state.withLock { if !$0.open.isEmpty { $0.open[0].status = status } } }

    /// Notes that the system has taken so many bytes of the answer to the oldest request.
    func send(_ count: Int) { state.withLock { if !$0.open.isEmpty { $0.open[0].bytes += Int64(count) } } }

    /// Notes that the answer to the oldest request has ended.
    func end() {
        let ended: Exchange? = state.withLock { state in
            guard !state.open.isEmpty else { return nil }
            state.asked = max(0, state.asked - 1)
            return state.open.removeFirst()
        }
        if let ended { finish(ended) }
    }

    /// Notes that the connection has ended.
    func leave() {
        let left = state.withLock { state in
            defer { state = State() }
            return state.open
        }
        for var exchange in left {
            exchange.leftEarly = true
            finish(exchange)
        }
    }

    private func finish(_ exchange: Exchange) {
        var exchange = exchange
        exchange.duration = now() - exchange.began
        if exchange.decision == .answer { limiter?.end(exchange.client) }
        report(exchange)
    }
}
