internal import SegueBase

/// The bytes written to a client that its program has not read, and the checks of a client that does not read.
struct ClientUnread {
    // A window update is not an event if nothing waits to be written, so the window is checked after pauses.
    private static let minimumPause = Duration.milliseconds(1)
    private static let maximumPause = Duration.milliseconds(16)

    /// The number of bytes whose acknowledgement may be delayed, as every second packet is acknowledged.
    private static let acknowledgementLag = 2 * 1448

    private var estimate = UnreadBytes()
    private var written = 0
    private var looks = 0
    private var lookedAt = 0
    private var nextLook = Instant.zero
    private var pause = ClientUnread.minimumPause

    mutating func wrote(_ bytes: Int) { written += bytes }

    /// Returns the number of unread bytes.
    ///
    /// - Parameters:
    ///   - isWaiting: True if more bytes wait for the client.
    /// - Returns: The estimate.
    mutating func count(_ socket: ProxiedSocket, isWaiting: Bool) -> Int {
        guard socket.isOpen else { return 0 }
        let unacknowledged = socket.unacknowledged
        // Only a system that has acknowledged everything may have a larger window than announced.
        if unacknowledged > 0 || written > lookedAt || isWaiting { (looks, lookedAt) = (0, written) }
        let late = max(0, unacknowledged - Self.acknowledgementLag)
        guard let window = socket.peerWindow else { return late }
        return late + estimate.count(window: window, acknowledged: written - unacknowledged, looks: looks)
    }

    /// Returns the pause before the next check of a client that holds up the sender; nil if none is due.
    mutating func nextCheck(isHeldUp: Bool, at now: Instant) -> Duration? {
        guard isHeldUp else {
            (pause, looks) = (Self.minimumPause, 0)
            return nil
        }
        guard nextLook <= now else { return nil }
        looks += 1
        nextLook = now + pause
        defer { pause = min(pause * 2, Self.maximumPause) }
        return pause
    }
}
