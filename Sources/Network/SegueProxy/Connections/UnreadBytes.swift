/// How much a client's system has taken over a socket that its program has not read.
///
/// A system does not say so, but what room it has left (its window), which is greatest when all is read. A window shrinks by
/// up to a third less than what came, as packets are put together (tcp_try_coalesce) and it is not announced with each; so
/// half as much again may be unread, but no more than what came since the window was greatest.
///
/// Where nothing comes any more a window may be old: a program's reading is announced only once the room is twice as much
/// (tcp_cleanup_rbuf). So what was looked at often in vain counts for less and less, until a segment may come, which is
/// answered with news.
package struct UnreadBytes: Sendable {
    /// For how many bytes a greatest window is remembered, at least: a system may come to announce less for good, when the
    /// share of its memory that it takes packets to need has changed.
    private static let memory = 1 << 20

    private var greatest = 0
    private var greatestBefore = 0
    private var forgetsAt = UnreadBytes.memory
    /// After how many looks in vain a window may be old: a segment less counts then, and twice as many with each further look.
    private static let oldAfter = 5
    private static let oldInAnyCaseAfter = 64

    /// How much had been taken when the window was greatest.
    private var allRead = 0

    /// Of a client that has taken nothing yet.
    package init() {}

    /// Learns what the system says now.
    ///
    /// - Parameters:
    ///   - window: The room that it has announced last, in bytes.
    ///   - acknowledged: How many bytes it has taken in all.
    ///   - looks: How often it was looked at in a row while nothing could be sent to it.
    /// - Returns: How many bytes are unread.
    package mutating func count(window: Int, acknowledged: Int, looks: Int = 0) -> Int {
        if acknowledged >= forgetsAt {
            (greatestBefore, greatest) = (greatest, window)
            forgetsAt = acknowledged + Self.memory
        }
        greatest = max(greatest, window)
        let whole = max(greatest, greatestBefore)
        if window >= whole { allRead = acknowledged }
        let come = max(0, acknowledged - allRead)
        // Had its program read all, the room would be twice what was announced at the most; a third allows for less.
        let inVain = looks - (3 * window >= whole ? Self.oldAfter : Self.oldInAnyCaseAfter)
        let doubt = inVain > 0 ? 1448 << min(inVain - 1, 16) : 0
        return max(0, min(come, (whole - window) / 2 * 3) - doubt)
    }
}
