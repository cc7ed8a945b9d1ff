import SegueOrigin
import Synchronization

/// Keeps to what each address may, for all connections.
final class ClientLimiter: Sendable {
    typealias Kind = AddressLimits.Kind

    /// What has been refused, by why.
    struct Refusals: Sendable, Equatable {
        var connections: [Kind: Int] = [:]
        var requests: [Kind: Int] = [:]
    }

    /// What becomes of a connection.
    enum Admission: Sendable, Equatable {
        /// It is ended.
        case refused
        /// It stays, and is given back with ``ClientLimiter/close(_:)``.
        case counted
        /// It stays, and counts nowhere.
        case exempt
    }

    private struct State {
        var limits: AddressLimits
        var trusted: [AddressRange]
        var crowd: FairShareLimiter
        var refusals = Refusals()

        func isExempt(_ address: ClientAddress) -> Bool { trusted.contains { $0.contains(address) } }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let processorTime: @Sendable () -> Duration

    /// One at an open door.
    ///
    /// - Parameters:
    ///   - allowance: What each address may.
    ///   - trusted: Reverse proxies whose word is taken for whose request it is, and to which no limit applies.
    ///   - processors: How many processors there are to share.
    ///   - processorTime: What the process has used of them.
    ///   - now: The time.
    init(
        _ allowance: AddressAllowance,
        trusted: [AddressRange],
        processors: Int = MachineLimits.processors,
        processorTime: @escaping @Sendable () -> Duration = { ProcessFigures.processorTime },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.processorTime = processorTime
        self.now = now
        state = Mutex(
            State(
                limits: AddressLimits(allowance),
                trusted: trusted,
                crowd: FairShareLimiter(processors: processors, now: now())
            )
        )
    }

    /// Keeps to other limits from now on, also for whoever has something open.
    func change(_ allowance: AddressAllowance, trusted: [AddressRange]) {
        state.withLock { state in
            state.limits.allowance = allowance
            state.trusted = trusted
        }
    }

    /// What has been refused so far.
    var refusals: Refusals { state.withLock { $0.refusals } }

    /// How many addresses are remembered.
    var addresses: Int { state.withLock { $0.limits.count } }

    /// Whose request it is.
    func client(of peer: ClientAddress, field: (_ name: String) -> [String]) -> ClientAddress {
        ForwardedClient.client(of: peer, trusted: state.withLock { $0.trusted }, field: field)
    }

    /// Whether a connection with an address may stay.
    func open(_ peer: ClientAddress) -> Admission {
        let now = now()
        return state.withLock { state in
            if state.isExempt(peer) { return .exempt }
            guard let kind = state.limits.open(peer.client, now: now) else { return .counted }
            state.refusals.connections[kind, default: 0] += 1
            return .refused
        }
    }

    /// Says that a connection has ended that was counted.
    func close(_ peer: ClientAddress) {
        let now = now()
        state.withLock { $0.limits.close(peer.client, now: now) }
    }

    /// What becomes of a request; one that is answered is given back with ``end(_:)``.
    func begin(_ client: ClientAddress) -> AddressLimits.Decision {
        let now = now()
        return state.withLock { state in
            if state.isExempt(client) { return .pass }
            let decision = state.limits.begin(client.client, now: now)
            if case .refuse(let kind, _, _) = decision { state.refusals.requests[kind, default: 0] += 1 }
            return decision
        }
    }

    /// Says that a request has ended that was answered and counted.
    func end(_ client: ClientAddress) {
        let now = now()
        state.withLock { $0.limits.end(client.client, now: now) }
    }

    /// Waits until something that costs the server so much may be done for a client (``FairShareLimiter``).
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

    /// Counts a request that was refused elsewhere.
    ///
    /// - Returns: How long its answer waits in the line of refusals.
    func refuse(_ kind: Kind, of client: ClientAddress) -> Duration {
        let now = now()
        return state.withLock { state in
            state.refusals.requests[kind, default: 0] += 1
            return state.isExempt(client) ? .zero : state.limits.refuse(client.client, now: now)
        }
    }
}

extension OriginFailure {
    /// Whoever asks has had as much as one address may: 429.
    init(tooMuch kind: AddressLimits.Kind, retry: Duration) {
        let seconds = retry.components.seconds + (retry.components.attoseconds > 0 ? 1 : 0)
        let what =
            switch kind {
            case .connections: "this address has too many connections"
            case .requests: "too many requests from this address are being answered"
            case .rate: "too many requests came from this address"
            case .encodings: "too much that takes long is being made for this address"
            }
        self.init(
            status: 429,
            code: "tooMany" + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst(),
            message: "\(what); try again in \(seconds) s",
            headers: [("Retry-After", "\(seconds)")]
        )
    }
}
