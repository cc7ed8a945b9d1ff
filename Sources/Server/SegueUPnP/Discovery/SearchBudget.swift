/// How many searches are answered, so that nobody has a server send much by sending little.
///
/// A search is some hundred bytes and its answers two thousand; whoever asks may have put another's address on it.
package struct SearchBudget: Sendable {
    /// Answers that one address gets in a burst, and then each second.
    package static let burst = 20
    /// The answers for each second after a burst.
    package static let perSecond = 5
    /// The most addresses that are told apart; more share what is left.
    static let mostAddresses = 256

    private struct Bucket {
        var left: Double
        var at: Duration
    }

    private var buckets: [UInt32: Bucket] = [:]

    /// A budget of which nothing is used.
    package init() {}

    /// How many of so many answers an address may get now.
    ///
    /// - Parameters:
    ///   - count: The answers.
    ///   - address: Who asked.
    ///   - now: The time since any moment.
    /// - Returns: How many; those are used then.
    package mutating func allowed(_ count: Int, to address: UInt32, at now: Duration) -> Int {
        if buckets[address] == nil, buckets.count >= Self.mostAddresses {
            buckets = buckets.filter { Self.refilled($0.value, at: now).left < Double(Self.burst) }
            if buckets.count >= Self.mostAddresses { return 0 }
        }
        var bucket = Self.refilled(buckets[address] ?? Bucket(left: Double(Self.burst), at: now), at: now)
        let given = max(0, min(count, Int(bucket.left)))
        bucket.left -= Double(given)
        buckets[address] = bucket
        return given
    }

    private static func refilled(_ bucket: Bucket, at now: Duration) -> Bucket {
        let (seconds, attoseconds) = max(.zero, now - bucket.at).components
        let passed = Double(seconds) + Double(attoseconds) / 1e18
        return Bucket(left: min(Double(burst), bucket.left + passed * Double(perSecond)), at: now)
    }
}
