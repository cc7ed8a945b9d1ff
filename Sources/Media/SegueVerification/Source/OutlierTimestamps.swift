/// Tells times of a source that cannot be, so that only the order says what belongs together.
enum OutlierTimestamps {
    /// The number of in a row may be wrong.
    static let most = 8
    /// How far from the others a time is wrong, in seconds.
    static let distance = 1.0

    /// True if a time is none that a frame or a frame can have where it is.
    ///
    /// - Parameters:
    ///   - time: The time in question, in seconds.
    ///   - last: The one before.
    ///   - next: Those after it, in order.
    /// - Returns: True if it is the same as the one before, or far away while those after it are not.
    static func isStray(_ time: Double?, after last: Double?, before next: [Double?]) -> Bool {
        guard let time, let last else { return false }
        guard time != last else { return true }
        guard abs(time - last) > distance else { return false }
        return next.prefix(most).contains { $0.map { abs($0 - last) <= distance } ?? false }
    }

    /// Times in the order of decoding, without those that cannot be.
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
