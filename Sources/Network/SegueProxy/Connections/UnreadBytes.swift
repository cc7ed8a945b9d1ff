/// An estimate of the bytes in a client's receive buffer that its program has not read.
///
/// A system announces only its free space (the window), which is greatest when everything is read. A window shrinks by
/// up to a third less than the arrived bytes, because packets are merged (tcp_try_coalesce) and not each change is
/// announced. Therefore, up to half as much again may be unread, but at most the bytes that arrived since the window
/// was greatest.
///
/// Without further arrivals, a window may be outdated: reading is announced only when the space has doubled
/// (tcp_cleanup_rbuf). Therefore, repeated checks reduce the estimate, until a segment may be sent, whose
/// acknowledgement updates the window.
package struct UnreadBytes: Sendable {
    /// The number of bytes for which a maximum window is remembered.
    ///
    /// A system may permanently announce less after a new
    /// estimate of its memory per packet.
    private static let memory = 1 << 20

    private var greatest = 0
    private var greatestBefore = 0
    private var forgetsAt = UnreadBytes.memory
    /// The number of checks after which a window may be outdated; the estimate shrinks by a segment then, and by twice
    /// as much with each further check.
    private static let oldAfter = 5
    private static let oldInAnyCaseAfter = 64

    /// The number of acknowledged bytes when the window was greatest.
    private var allRead = 0

    package init() {}

    /// Updates the estimate.
    ///
    /// - Parameters:
    ///   - window: The announced window, in bytes.
    ///   - acknowledged: The total number of acknowledged bytes.
    ///   - looks: The number of consecutive checks during which nothing could be sent.
    /// - Returns: The estimated number of unread bytes.
    package mutating func count(window: Int, acknowledged: Int, looks: Int = 0) -> Int {
        if acknowledged >= forgetsAt {
            (greatestBefore, greatest) = (greatest, window)
            forgetsAt = acknowledged + Self.memory
        }
        greatest = max(greatest, window)
        let whole = max(greatest, greatestBefore)
        if window >= whole { allRead = acknowledged }
        let come = max(0, acknowledged - allRead)
        // If everything were read, the space would be at most twice the announced window; a third leaves a margin.
        let inVain = looks - (3 * window >= whole ? Self.oldAfter : Self.oldInAnyCaseAfter)
        let doubt = inVain > 0 ? 1448 << min(inVain - 1, 16) : 0
        return max(0, min(come, (whole - window) / 2 * 3) - doubt)
    }
}
