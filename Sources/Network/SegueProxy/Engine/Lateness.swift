internal import SegueBase

/// A histogram of delays, with eight buckets per doubling.
public struct Lateness: Sendable {
    /// Buckets of nanoseconds: up to 1024, and then eight for each doubling, up to 17 s.
    private var counts = [Int](repeating: 0, count: 1 + 24 * 8)

    /// The number of recorded delays.
    public private(set) var total = 0

    /// The maximum delay.
    public private(set) var greatest = Duration.zero

    /// The sum of all delays, in seconds.
    public private(set) var sum = 0.0

    package init() {}

    package mutating func record(_ lateness: Duration) {
        let nanoseconds = max(0, lateness.wholeNanoseconds)
        counts[Self.bucket(nanoseconds)] += 1
        total += 1
        sum += Double(nanoseconds) / 1e9
        greatest = max(greatest, lateness)
    }

    /// Returns the delay that a share of all delays did not exceed, rounded up to its bucket; zero without any.
    ///
    /// - Parameter share: The share, from 0 to 1.
    /// - Returns: The delay.
    public func quantile(_ share: Double) -> Duration {
        var left = Int((Double(total) * share).rounded(.up))
        guard left > 0 else { return .zero }
        for (bucket, count) in counts.enumerated() {
            left -= count
            if left <= 0 { return min(.nanoseconds(Self.end(of: bucket)), greatest) }
        }
        return greatest
    }

    /// Returns the number of delays up to a limit, rounded up to its bucket.
    ///
    /// - Parameter limit: The limit, from zero.
    /// - Returns: The number of delays.
    public func count(upTo limit: Duration) -> Int {
        let end = Self.bucket(max(0, limit.wholeNanoseconds))
        return counts[...end].reduce(0, +)
    }

    private static func bucket(_ nanoseconds: Int64) -> Int {
        guard nanoseconds >= 1024 else { return 0 }
        let exponent = 63 - nanoseconds.leadingZeroBitCount
        let eighth = Int((nanoseconds >> (exponent - 3)) & 7)
        return min(1 + (exponent - 10) * 8 + eighth, 24 * 8)
    }

    private static func end(of bucket: Int) -> Int64 {
        guard bucket > 0 else { return 1024 }
        let (doubling, eighth) = ((bucket - 1) / 8, (bucket - 1) % 8)
        return (Int64(1024) << doubling) / 8 * Int64(9 + eighth)
    }
}
