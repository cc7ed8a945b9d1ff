/// A delay for addresses that use much while others use little, so that the others hardly notice.
///
/// The limits of an address are generous, so an address at its limits can occupy most of a processor. This limiter
/// rejects nothing. All addresses with more than twice as many connections or requests in flight as another active one
/// share an eighth of the processor time for their requests and bytes. A client that is alone, or no heavier than the
/// others, is never delayed.
struct FairShareLimiter: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The relative cost of an operation in processor time.
    ///
    /// The measured time of the process scales it.
    enum Cost {
        /// A request with a small response.
        static let request = Duration.microseconds(200)
        /// A piece of a body with its bytes.
        static func piece(_ bytes: Int) -> Duration { .microseconds(50) + .nanoseconds(max(0, bytes)) }
    }

    /// The allowed multiple of another client's load: players open a second connection when they seek.
    private static let most = 2
    /// The time a client counts as active: a player that requests a segment every six seconds is active in between.
    static let presence = Duration.seconds(10)
    /// The interval of measurements, and the maximum scale: other work of the process is not all due to requests.
    private static let (sampling, maximumFactor) = (Duration.milliseconds(250), 16.0)
    /// The maximum delay.
    static let longest = Duration.seconds(10)
    /// The share of processor time for heavy clients, as its inverse.
    private static let part = 8

    private let processors: Int
    private var line: Pace
    /// The current scale of costs, and the start of its next measurement: the time, the processor time, and the costs.
    private var factor = 1.0
    private var sampled: (at: Instant, processorTime: Duration)?
    private var counted = Duration.zero
    /// The two lightest active clients; at least one of them is not the client in question.
    private var light: [(client: ClientAddress, load: Int, seen: Instant)] = []

    init(processors: Int, now: Instant) { (self.processors, line) = (max(1, processors), Pace(now: now)) }

    /// Returns true if a measurement is due.
    func needsSample(_ now: Instant) -> Bool { sampled.map { now - $0.at >= Self.sampling } ?? true }

    /// Measures the processor time of the process.
    mutating func sample(_ processorTime: Duration, now: Instant) {
        if let sampled, counted > .zero {
            factor = min(Self.maximumFactor, max(1, (processorTime - sampled.processorTime) / counted))
        }
        (sampled, counted) = ((now, processorTime), .zero)
    }

    /// Returns the delay of an operation of a client.
    ///
    /// - Parameters:
    ///   - cost: The cost of the operation.
    ///   - load: The number of connections or of requests in flight, whichever is greater.
    /// - Returns: The delay; zero for none.
    mutating func wait(_ cost: Duration, for client: ClientAddress, load: Int, now: Instant) -> Duration {
        counted += cost
        light.removeAll { $0.client == client || now - $0.seen >= Self.presence }
        let isCrowding = light.contains { load > Self.most * max(1, $0.load) }
        light.append((client, load, now))
        if light.count > 2, let most = light.indices.max(by: { light[$0].load < light[$1].load }) {
            light.remove(at: most)
        }
        guard isCrowding else { return .zero }
        let turn = cost * factor * Self.part / processors
        // The queue is as long as the admitted work takes; its first operation runs at once.
        return line.line(up: turn, most: Self.longest, now: now) - turn
    }
}
