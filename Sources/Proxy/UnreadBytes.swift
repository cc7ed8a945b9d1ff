/// How much a client's system has taken over a socket that its program has not read.
///
/// A system does not say so, but what room it has left (its window), which is greatest when all is read. A window shrinks by
/// up to a quarter less than what came, as packets are put together (tcp_try_coalesce), or grows meanwhile; so what came
/// since it was greatest is an estimate as well, and the lesser of the two counts.
package struct UnreadBytes: Sendable {
    /// For how many bytes a greatest window is remembered, at least: a system may come to announce less for good, when the
    /// share of its memory that it takes packets to need has changed.
    private static let memory = 1 << 20

    private var greatest = 0
    private var greatestBefore = 0
    private var forgetsAt = UnreadBytes.memory
    /// How much had been taken when the window was greatest.
    private var allRead = 0

    /// Of a client that has taken nothing yet.
    package init() {}

    /// Learns what the system says now.
    ///
    /// - Parameters:
    ///   - window: The room that it has announced last, in bytes.
    ///   - acknowledged: How many bytes it has taken in all.
    /// - Returns: How many bytes are unread.
    package mutating func count(window: Int, acknowledged: Int) -> Int {
        if acknowledged >= forgetsAt {
            (greatestBefore, greatest) = (greatest, window)
            forgetsAt = acknowledged + Self.memory
        }
        greatest = max(greatest, window)
        let whole = max(greatest, greatestBefore)
        if window >= whole { allRead = acknowledged }
        return min(max(0, acknowledged - allRead), (whole - window) / 3 * 4)
    }
}
