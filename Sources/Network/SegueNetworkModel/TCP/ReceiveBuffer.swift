internal import SegueData

/// The receive buffer of an end of a connection, as known to the sender.
///
/// A system announces the space for unread data, and the sender stops at its end (RFC 9293, section 3.8.6). Linux tunes
/// the buffer by the bytes read per round trip (tcp_rcv_space_adjust): twice as much and 16 segments, plus twice the
/// growth for a sender in slow start.
struct ReceiveBuffer {
    /// Linux's segment size for calculations, independent of options (advmss).
    private static let advertisedSegment = 1460

    private let isTuned: Bool
    private let greatest: Int

    /// The number of bytes that may be unread or in flight.
    private(set) var window: Int
    /// The window in full segments; at least one.
    private(set) var segments: Int

    /// The number of consumed bytes when the program stopped; nil while it consumes everything at once.
    private(set) var taken: Int?
    /// The end of the announced space in the stream; nil while the program consumes everything.
    private(set) var end: Int?

    // The current measurement: the consumed bytes and the time at its beginning, and the maximum before.
    private var begin = 0
    private var began: Int64 = 0
    private var mostTaken = 10 * advertisedSegment

    init(_ window: ReceiveWindow) {
        isTuned = window == .tuned
        greatest = window.most
        self.window = isTuned ? ReceiveWindow.least : greatest
        segments = max(1, self.window / Sender.segmentSize)
    }

    /// Measures the consumption up to a byte, at an instant in nanoseconds.
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

    /// Updates the number of consumed bytes.
    ///
    /// - Parameters:
    ///   - bytes: The number; nil for all.
    ///   - come: The number of delivered bytes.
    ///   - isStopped: True if the sender has stopped with nothing in flight.
    /// - Returns: True if a stopped sender is informed at once: if its known space is at most half of the actual one
    ///   (tcp_cleanup_rbuf), which exceeds a sixteenth of the buffer and a segment (__tcp_select_window).
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
