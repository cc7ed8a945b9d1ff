/// Holds back an address that asks for much at once while others ask for little, so that they hardly notice.
///
/// The limits of an address are such that nobody who means well meets them; one who goes up to them takes most of a
/// processor all the same. Nothing is refused here. All addresses that have more than twice as many connections or requests
/// under way as another that is there share an eighth of the processors' time for what their requests and bytes cost the
/// server. Who is alone, or has as little as any other, waits for nothing.
struct FairShareLimiter: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What something costs the server in time of a processor, in proportion: what the processors really took for all that
    /// was done lately says by how much more it is.
    enum Cost {
        /// A request with a small answer.
        static let request = Duration.microseconds(200)
        /// A piece of a body, and each of its bytes.
        static func piece(_ bytes: Int) -> Duration { .microseconds(50) + .nanoseconds(max(0, bytes)) }
    }

    /// How many times as much as another one may have: players open a second connection when they jump.
    private static let most = 2
    /// How long somebody counts as there: a player that asks for a segment every six seconds is there between two.
    static let presence = Duration.seconds(10)
    /// How often it is reckoned what things cost, and the most that counts: where much else takes the processors, too, it is
    /// not all due to requests.
    private static let (sampling, mostFactor) = (Duration.milliseconds(250), 16.0)
    /// The longest that anything waits: nobody's connection is held for ever, however many are before it.
    static let longest = Duration.seconds(10)
    /// Which part of the processors' time is for those who ask for much, as its inverse.
    private static let part = 8

    private let processors: Int
    private var line: Pace
    /// How many times as much as said things cost of late, and since when, from what time of the processors and for which
    /// cost that is reckoned anew.
    private var factor = 1.0
    private var sampled: (at: Instant, processorTime: Duration)?
    private var counted = Duration.zero
    /// Of those that are there, two with the least: one of them is not the one that is asked about.
    private var light: [(client: ClientAddress, load: Int, seen: Instant)] = []

    /// Nobody is there yet.
    ///
    /// - Parameters:
    ///   - processors: How many there are.
    ///   - now: The time.
    init(processors: Int, now: Instant) { (self.processors, line) = (max(1, processors), Pace(now: now)) }

    /// Whether the time of the processors is to be told.
    func needsSample(_ now: Instant) -> Bool { sampled.map { now - $0.at >= Self.sampling } ?? true }

    /// Notes how much time of processors the process has used so far.
    mutating func sample(_ processorTime: Duration, now: Instant) {
        if let sampled, counted > .zero {
            factor = min(Self.mostFactor, max(1, (processorTime - sampled.processorTime) / counted))
        }
        (sampled, counted) = ((now, processorTime), .zero)
    }

    /// How long something waits until it is done for a client.
    ///
    /// - Parameters:
    ///   - cost: What it costs.
    ///   - client: Whose it is.
    ///   - load: How many connections the client has, or requests under way, whichever is more.
    ///   - now: The time.
    /// - Returns: How long; zero for at once.
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
        // The line is as long as what was let in takes; the first of it goes at once.
        return line.line(up: turn, most: Self.longest, now: now) - turn
    }
}
