/// The state of all addresses against their limits, without sockets and without a clock.
///
/// An address without open connections that stays within its limits is removed.
struct AddressLimits: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The limits that an address can exceed.
    enum Kind: String, Sendable, CaseIterable {
        case connections, requests, rate, encodings
    }

    /// The decision on a request.
    enum Decision: Sendable, Equatable {
        /// It is served, and counts as in flight until ``AddressLimits/end(_:now:)``.
        case serve
        /// It is served, and does not count.
        case pass
        /// It is rejected: the response follows after a delay, so that a client that keeps trying costs little, and
        /// states when to retry.
        case refuse(Kind, after: Duration, retry: Duration)
    }

    private struct Entry {
        var connections = 0
        var requests = 0
        var pace: Pace
        /// New connections, at twice the rate of requests, so that a client above the limit receives a response.
        var arrivals: Pace
        /// The queue of rejections.
        var refusals: Pace

        init(_ now: Instant) { (pace, arrivals, refusals) = (Pace(now: now), Pace(now: now), Pace(now: now)) }

        func isIdle(_ now: Instant) -> Bool {
            connections == 0 && requests == 0 && [pace, arrivals, refusals].allSatisfy { $0.settled <= now }
        }
    }

    /// The interval between rejections of an address, and the maximum delay.
    private static let (refusalInterval, refusalDelayLimit) = (Duration.milliseconds(5), Duration.seconds(10))
    /// The maximum number of remembered addresses without open connections.
    private static let idleLimit = 65_536

    /// The limits; an address above new limits keeps its open connections.
    var allowance: AddressAllowance
    private var entries: [ClientAddress: Entry] = [:]
    /// The number of entries above which removable ones are searched.
    private var look = 1024

    init(_ allowance: AddressAllowance) { self.allowance = allowance }

    /// The number of remembered addresses.
    var count: Int { entries.count }

    /// Counts a new connection; returns the exceeded limit if it is rejected.
    mutating func open(_ client: ClientAddress, now: Instant) -> Kind? {
        forgetIdle(now)
        var entry = entries[client] ?? Entry(now)
        defer { entries[client] = entry }
        guard entry.connections < allowance.connections else { return .connections }
        let isTooMuch = entry.arrivals.take(every: interval / 2, burst: 2 * allowance.burst, now: now) != nil
        if isTooMuch { return .rate }
        entry.connections += 1
        return nil
    }

    /// Counts the end of an accepted connection.
    mutating func close(_ client: ClientAddress, now: Instant) {
        change(client, at: now) { $0.connections -= 1 }
    }

    /// Counts a request.
    mutating func begin(_ client: ClientAddress, now: Instant) -> Decision {
        forgetIdle(now)
        var entry = entries[client] ?? Entry(now)
        defer { entries[client] = entry }
        if let wait = entry.pace.take(every: interval, burst: allowance.burst, now: now) {
            return refuse(.rate, retry: wait, of: &entry, at: now)
        }
        guard entry.requests < allowance.requests else {
            return refuse(.requests, retry: .seconds(1), of: &entry, at: now)
        }
        entry.requests += 1
        return .serve
    }

    /// Counts the end of a request.
    mutating func end(_ client: ClientAddress, now: Instant) {
        change(client, at: now) { $0.requests -= 1 }
    }

    /// Queues a request that is rejected for another reason with the rejections of its client.
    ///
    /// - Returns: The delay of its response.
    mutating func refuse(_ client: ClientAddress, now: Instant) -> Duration {
        var entry = entries[client] ?? Entry(now)
        defer { entries[client] = entry }
        return entry.refusals.line(up: Self.refusalInterval, most: Self.refusalDelayLimit, now: now)
    }

    /// The number of connections or of requests in flight of a client, whichever is greater: behind a trusted proxy,
    /// and in HTTP/2, connections say nothing.
    func load(of client: ClientAddress) -> Int { entries[client].map { max($0.connections, $0.requests) } ?? 0 }

    private var interval: Duration { .seconds(1) / allowance.rate }

    private func refuse(_ kind: Kind, retry: Duration, of entry: inout Entry, at now: Instant) -> Decision {
        let after = entry.refusals.line(up: Self.refusalInterval, most: Self.refusalDelayLimit, now: now)
        return .refuse(kind, after: after, retry: max(.seconds(1), retry))
    }

    private mutating func change(_ client: ClientAddress, at now: Instant, body: (inout Entry) -> Void) {
        guard var entry = entries[client] else { return }
        body(&entry)
        entries[client] = entry.isIdle(now) ? nil : entry
    }

    private mutating func forgetIdle(_ now: Instant) {
        guard entries.count >= look else { return }
        entries = entries.filter { !$0.value.isIdle(now) }
        // A client with very many addresses loses the history of each, but not the open connections.
        if entries.count > Self.idleLimit { entries = entries.filter { $0.value.connections + $0.value.requests > 0 } }
        look = max(1024, 2 * entries.count)
    }
}
