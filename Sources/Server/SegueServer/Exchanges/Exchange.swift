import SegueOrigin
import Synchronization

/// A request with its response, after it has ended.
struct Exchange: Sendable {
    /// The client's address, also behind a trusted proxy.
    var client: ClientAddress
    /// The method and the target as sent.
    var method: String
    var target: String
    /// The logged header fields; nil if they are missing.
    var referrer: String?
    var agent: String?
    /// The decision of the limits of the client's address.
    var decision: AddressLimits.Decision
    /// The time at which the head was received.
    var began: ContinuousClock.Instant
    /// The status; nil if the client disconnected before a response began.
    var status: Int?
    /// The number of bytes of the body that the system accepted.
    var bytes: Int64 = 0
    /// True if the connection ended before the response.
    var leftEarly = false
    /// The time from the head of the request to the end of the response or the connection.
    var duration = Duration.zero
}

/// The exchanges of one connection that have not ended, in the order of their requests.
///
/// The connection's event loop records them; the responder reads the decisions.
final class Exchanges: Sendable {
    /// The properties of a request that the responder needs.
    struct Turn: Sendable {
        var client: ClientAddress
        var decision: AddressLimits.Decision
    }

    private struct State {
        var open: [Exchange] = []
        /// The number of exchanges that the responder handles.
        var asked = 0
    }

    private let state = Mutex(State())
    private let limiter: ClientLimiter?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let report: @Sendable (Exchange) -> Void

    /// - Parameters:
    ///   - limiter: The limits of addresses; nil for none.
    ///   - report: Receives each ended exchange; must not block.
    init(
        _ limiter: ClientLimiter? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        report: @escaping @Sendable (Exchange) -> Void = { _ in }
    ) { (self.limiter, self.now, self.report) = (limiter, now, report) }

    /// Records a request.
    ///
    /// - Parameters:
    ///   - target: The target as sent.
    ///   - peer: The other end of the connection.
    ///   - field: Returns the values of all header fields with a name, in order.
    func begin(_ method: String, _ target: String, from peer: ClientAddress, field: (_ name: String) -> [String]) {
        let client = limiter?.client(of: peer, field: field) ?? peer
        let exchange = Exchange(
            client: client,
            method: method,
            target: target,
            referrer: field("Referer").first,
            agent: field("User-Agent").first,
            decision: limiter?.begin(client) ?? .serve,
            began: now()
        )
        state.withLock { $0.open.append(exchange) }
    }

    /// The oldest request that the responder does not handle yet, or nil if there is none.
    func take() -> Turn? {
        state.withLock { state in
            guard state.asked < state.open.count else { return nil }
            defer { state.asked += 1 }
            let exchange = state.open[state.asked]
            return Turn(client: exchange.client, decision: exchange.decision)
        }
    }

    /// Records the start of the response to the oldest request.
    func beginResponse(_ status: Int) { state.withLock { if !$0.open.isEmpty { $0.open[0].status = status } } }

    /// Records bytes of the response to the oldest request that the system accepted.
    func send(_ count: Int) { state.withLock { if !$0.open.isEmpty { $0.open[0].bytes += Int64(count) } } }

    /// Records the end of the response to the oldest request.
    func end() {
        let ended: Exchange? = state.withLock { state in
            guard !state.open.isEmpty else { return nil }
            state.asked = max(0, state.asked - 1)
            return state.open.removeFirst()
        }
        if let ended { finish(ended) }
    }

    /// Records the end of the connection.
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
        if exchange.decision == .serve { limiter?.end(exchange.client) }
        report(exchange)
    }
}
