/// A rate limit on responses to searches, against amplification attacks.
///
/// A search has some hundred bytes and its responses two thousand; the source address may be spoofed.
package struct SearchBudget: Sendable {
    /// The number of responses for one address in a burst.
    package static let burst = 20
    /// The responses per second after a burst.
    package static let perSecond = 5
    /// The maximum number of distinguished addresses; further ones share a budget.
    static let addressLimit = 256

    private struct Bucket {
        var left: Double
        var at: Duration
    }

    private var buckets: [UInt32: Bucket] = [:]

    package init() {}

    /// Returns the number of responses that an address may receive now, and spends them.
    ///
    /// - Parameters:
    ///   - count: The number of responses.
    /// - Returns: The allowed number.
    package mutating func allowed(_ count: Int, to address: UInt32, at now: Duration) -> Int {
        if buckets[address] == nil, buckets.count >= Self.addressLimit {
            buckets = buckets.filter { Self.refilled($0.value, at: now).left < Double(Self.burst) }
            if buckets.count >= Self.addressLimit { return 0 }
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
