internal import SegueData

/// The receive buffer of one end of a connection, as its sender knows of it: how much of the stream it has room for.
///
/// A system announces room for what its program has not read, and the sender stops at its end (RFC 9293, section 3.8.6).
/// Linux tunes how much that is by what its program has read in a round trip (tcp_rcv_space_adjust): twice as much and
/// 16 segments, and more where it grew by a share: twice that share on top, for a sender in slow start.
struct ReceiveBuffer {
    /// The segment by which Linux reckons, whatever options a packet has (advmss).
    private static let advertisedSegment = 1460

    private let isTuned: Bool
    private let greatest: Int

    /// How many bytes may be unread and under way.
    private(set) var window: Int
    /// How many full segments those are; at least one.
    private(set) var segments: Int

    /// How many bytes of the stream the program had taken when it stopped to take all that comes at once; nil while it
    /// does not stop.
    private(set) var taken: Int?
    /// Before which byte of the stream the sender stops, as it was told; nil while the program takes all that comes.
    private(set) var end: Int?

    // The measure under way: what had been taken when it began, when that was, and the most before it.
    private var begin = 0
    private var began: Int64 = 0
    private var mostTaken = 10 * advertisedSegment

    init(_ window: ReceiveWindow) {
        isTuned = window == .tuned
        greatest = window.most
        self.window = isTuned ? ReceiveWindow.least : greatest
        segments = max(1, self.window / Sender.segmentSize)
    }

    /// The program has taken all bytes before one, at an instant in nanoseconds.
    @inline(__always)
    mutating func measure(takenUpTo bytes: Int, roundTrip: Int64, at now: Int64) {
        guard isTuned, now - began >= roundTrip else { return }
        tune(by: bytes - begin)
        (begin, began) = (bytes, now)
    }

    private mutating func tune(by bytes: Int) {
        let bytes = min(bytes, greatest)
        guard bytes > mostTaken else { return }
        let steady = 2 * bytes + 16 * Self.advertisedSegment
        let wide = steady + 2 * (steady * (bytes - mostTaken) / mostTaken)
        mostTaken = bytes
        window = max(window, min(wide, greatest))
        segments = max(1, window / Sender.segmentSize)
    }

    /// The program has taken no more than so many bytes of the stream, or takes all again that comes.
    ///
    /// - Parameters:
    ///   - bytes: How many; nil for all.
    ///   - come: How many have come.
    ///   - isStopped: Whether the sender has stopped, and nothing is under way.
    /// - Returns: Whether a sender that has stopped is told at once: where what it knows of is half of the room at the most
    ///   (tcp_cleanup_rbuf), and that is more than a sixteenth of the buffer, and a segment (__tcp_select_window).
    mutating func take(upTo bytes: Int?, ofThose come: Int, isStopped: Bool) -> Bool {
        let room = window - (bytes.map { come - $0 } ?? 0)
        if isStopped, let end {
            let least = min(window, max(window / 16, Sender.segmentSize))
            guard room >= max(least, 2 * (end - come)) else { return false }
        }
        (taken, end) = (bytes, bytes.map { $0 + window })
        return isStopped
    }
}
