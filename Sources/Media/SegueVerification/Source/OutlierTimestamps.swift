/// Detects implausible timestamps in a source, so that only the order counts.
enum OutlierTimestamps {
    /// The maximum number of consecutive outliers.
    static let most = 8
    /// The distance from the others that makes a timestamp an outlier, in seconds.
    static let distance = 1.0

    /// True if a timestamp equals the preceding one, or is far away while the following ones are not.
    static func isStray(_ time: Double?, after last: Double?, before next: [Double?]) -> Bool {
        guard let time, let last else { return false }
        guard time != last else { return true }
        guard abs(time - last) > distance else { return false }
        return next.prefix(most).contains { $0.map { abs($0 - last) <= distance } ?? false }
    }

    /// The timestamps in decode order, without outliers.
    static func believable(_ times: [Double?]) -> [Double?] {
        var last: Double?
        return times.indices.map { place in
            let next = times[(place + 1)...].prefix(most)
            guard !isStray(times[place], after: last, before: Array(next)) else { return nil }
            last = times[place] ?? last
            return times[place]
        }
    }
}
