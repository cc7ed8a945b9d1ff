import HTTPTypes
import SegueOrigin
import Synchronization

/// The limits of all addresses, shared by all connections.
final class ClientLimiter: Sendable {
    typealias Kind = AddressLimits.Kind

    /// The number of rejections by limit.
    struct Refusals: Sendable, Equatable {
        var connections: [Kind: Int] = [:]
        var requests: [Kind: Int] = [:]
    }

    /// The decision on a connection.
    enum Admission: Sendable, Equatable {
        /// It is closed.
        case refused
        /// It is accepted, and counts until ``ClientLimiter/close(_:)``.
        case counted
        /// It is accepted, and does not count.
        case exempt
    }

    private struct State {
        var limits: AddressLimits
        var proxies: TrustedProxies
        var crowd: FairShareLimiter
        var refusals = Refusals()

        func isExempt(_ address: ClientAddress) -> Bool { proxies.contains(address) }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let processorTime: @Sendable () -> Duration

    /// - Parameters:
    ///   - allowance: The limits of each address.
    ///   - proxies: The reverse proxies whose forwarding fields are trusted, and which have no limits.
    ///   - processors: The number of processors.
    ///   - processorTime: Returns the processor time of the process.
    init(
        _ allowance: AddressAllowance,
        proxies: TrustedProxies,
        processors: Int = MachineLimits.processors,
        processorTime: @escaping @Sendable () -> Duration = { ProcessMetrics.processorTime },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.processorTime = processorTime
        self.now = now
        state = Mutex(
            State(
                limits: AddressLimits(allowance),
                proxies: proxies,
                crowd: FairShareLimiter(processors: processors, now: now())
            )
        )
    }

    /// Replaces the limits, also for open connections.
    func change(_ allowance: AddressAllowance, proxies: TrustedProxies) {
        state.withLock { state in
            state.limits.allowance = allowance
            state.proxies = proxies
        }
    }

    var refusals: Refusals { state.withLock { $0.refusals } }

    /// The number of remembered addresses.
    var addresses: Int { state.withLock { $0.limits.count } }

    /// The client behind a connection.
    func client(of peer: ClientAddress, field: (_ name: String) -> [String]) -> ClientAddress {
        state.withLock { $0.proxies }.client(of: peer, values: field)
    }

    /// Returns true if a connection is a trusted proxy's.
    func isProxy(_ peer: ClientAddress) -> Bool { state.withLock { $0.proxies.contains(peer) } }

    /// Decides on a new connection.
    func open(_ peer: ClientAddress) -> Admission {
        let now = now()
        return state.withLock { state in
            if state.isExempt(peer) { return .exempt }
            guard let kind = state.limits.open(peer.client, now: now) else { return .counted }
            state.refusals.connections[kind, default: 0] += 1
            return .refused
        }
    }

    /// Counts the end of an accepted connection.
    func close(_ peer: ClientAddress) {
        let now = now()
        state.withLock { $0.limits.close(peer.client, now: now) }
    }

    /// Decides on a request; one that is served counts until ``end(_:)``.
    func begin(_ client: ClientAddress) -> AddressLimits.Decision {
        let now = now()
        return state.withLock { state in
            if state.isExempt(client) { return .pass }
            let decision = state.limits.begin(client.client, now: now)
            if case .refuse(let kind, _, _) = decision { state.refusals.requests[kind, default: 0] += 1 }
            return decision
        }
    }

    /// Counts the end of a served request.
    func end(_ client: ClientAddress) {
        let now = now()
        state.withLock { $0.limits.end(client.client, now: now) }
    }

    /// Waits until a client may use processor time (see ``FairShareLimiter``).
    ///
    /// - Throws: `CancellationError`.
    func waitForTurn(_ cost: Duration, of client: ClientAddress) async throws {
        let (peer, client, now) = (client, client.client, now())
        let wait: Duration = state.withLock { state in
            if state.isExempt(peer) { return .zero }
            if state.crowd.needsSample(now) { state.crowd.sample(processorTime(), now: now) }
            return state.crowd.wait(cost, for: client, load: state.limits.load(of: client), now: now)
        }
        if wait > .zero { try await Task.sleep(for: wait) }
    }

    /// Counts a request that is rejected elsewhere.
    ///
    /// - Returns: The delay of its response.
    func refuse(_ kind: Kind, of client: ClientAddress) -> Duration {
        let now = now()
        return state.withLock { state in
            state.refusals.requests[kind, default: 0] += 1
            return state.isExempt(client) ? .zero : state.limits.refuse(client.client, now: now)
        }
    }
}

extension OriginFailure {
    /// A request above a limit of its address: 429.
    init(tooMuch kind: AddressLimits.Kind, retry: Duration) {
        let seconds = retry.components.seconds + (retry.components.attoseconds > 0 ? 1 : 0)
        let what: ErrorSentence =
            switch kind {
            case .connections: "too many connections from this address"
            case .requests: "too many requests from this address are in flight"
            case .rate: "too many requests per second from this address"
            case .encodings: "too many encodings for this address are running or queued"
            }
        self.init(
            status: 429,
            code: "tooMany" + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst(),
            message: "\(what); try again in \(seconds) s",
            headers: [.retryAfter: "\(seconds)"]
        )
    }
}
