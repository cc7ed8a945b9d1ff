/// What each address may do at once and in a time: all that is decided about it, without sockets and without a clock.
///
/// An address that has nothing open and has not asked for more than its share is forgotten.
struct AddressLimits: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What an address has too much of.
    enum Kind: String, Sendable, CaseIterable {
        case connections, requests, rate, encodings
    }

    /// What becomes of a request.
    enum Decision: Sendable, Equatable {
        /// It is answered, and counts as under way until ``AddressLimits/end(_:now:)``.
        case answer
        /// It is answered, and counts nowhere.
        case pass
        /// It is refused: an answer that says so goes out after a while, so that one who asks on and on costs little, and
        /// says when to ask again.
        case refuse(Kind, after: Duration, retry: Duration)
    }

    private struct Entry {
        var connections = 0
        var requests = 0
        var pace: Pace
        /// New connections: twice as many as requests, so that one who asks for too much is told so in an answer.
        var arrivals: Pace
        /// The line of those that are refused.
        var refusals: Pace

        init(_ now: Instant) { (pace, arrivals, refusals) = (Pace(now: now), Pace(now: now), Pace(now: now)) }

        func isIdle(_ now: Instant) -> Bool {
            connections == 0 && requests == 0 && [pace, arrivals, refusals].allSatisfy { $0.settled <= now }
        }
    }

    /// How many refusals an address gets in a second, and how long the last of them waits for its own.
    private static let (refusalInterval, longestRefusal) = (Duration.milliseconds(5), Duration.seconds(10))
    /// How many addresses are remembered that have nothing open.
    private static let mostIdle = 65_536

    /// How much each may; whoever has more already keeps it.
    var allowance: AddressAllowance
    private var entries: [ClientAddress: Entry] = [:]
    /// After how many entries those are looked for that can be forgotten.
    private var look = 1024

    /// Nobody is there yet.
    init(_ allowance: AddressAllowance) { self.allowance = allowance }

    /// How many addresses are remembered.
    var count: Int { entries.count }

    /// Counts a connection; nil where it is to be kept, else why not.
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

    /// Counts a connection that was kept and has ended.
    mutating func close(_ client: ClientAddress, now: Instant) {
        change(client, now) { $0.connections -= 1 }
    }

    /// Counts a request.
    mutating func begin(_ client: ClientAddress, now: Instant) -> Decision {
        forgetIdle(now)
        var entry = entries[client] ?? Entry(now)
        defer { entries[client] = entry }
        if let wait = entry.pace.take(every: interval, burst: allowance.burst, now: now) {
            return refuse(.rate, retry: wait, &entry, now)
        }
        guard entry.requests < allowance.requests else { return refuse(.requests, retry: .seconds(1), &entry, now) }
        entry.requests += 1
        return .answer
    }

    /// Counts a request that was answered or whose client has gone.
    mutating func end(_ client: ClientAddress, now: Instant) {
        change(client, now) { $0.requests -= 1 }
    }

    /// Puts a request that is refused for another reason into the line of its client's refusals.
    ///
    /// - Returns: How long it waits for its answer.
    mutating func refuse(_ client: ClientAddress, now: Instant) -> Duration {
        var entry = entries[client] ?? Entry(now)
        defer { entries[client] = entry }
        return entry.refusals.line(up: Self.refusalInterval, most: Self.longestRefusal, now: now)
    }

    /// How many connections a client has, or requests under way, whichever is more: behind a trusted proxy, and in HTTP/2,
    /// connections tell nothing.
    func load(of client: ClientAddress) -> Int { entries[client].map { max($0.connections, $0.requests) } ?? 0 }

    private var interval: Duration { .seconds(1) / allowance.rate }

    private func refuse(_ kind: Kind, retry: Duration, _ entry: inout Entry, _ now: Instant) -> Decision {
        let after = entry.refusals.line(up: Self.refusalInterval, most: Self.longestRefusal, now: now)
        return .refuse(kind, after: after, retry: max(.seconds(1), retry))
    }

    private mutating func change(_ client: ClientAddress, _ now: Instant, _ body: (inout Entry) -> Void) {
        guard var entry = entries[client] else { return }
        body(&entry)
        entries[client] = entry.isIdle(now) ? nil : entry
    }

    private mutating func forgetIdle(_ now: Instant) {
        guard entries.count >= look else { return }
        entries = entries.filter { !$0.value.isIdle(now) }
        // One who has very many addresses loses what is remembered of each, and keeps what is open.
        if entries.count > Self.mostIdle { entries = entries.filter { $0.value.connections + $0.value.requests > 0 } }
        look = max(1024, 2 * entries.count)
    }
}
