internal import SegueBase

/// The congestion window of a sender.
///
/// Slow start with HyStart, then CUBIC with its Reno-friendly region (RFC 9438), and proportional rate reduction during
/// recovery (RFC 6937). Windows are whole numbers as in Linux, which determines the cost of a loss with few segments in
/// flight.
struct Congestion {
    /// The share of the window that remains after a loss, in 1024ths.
    static let decrease = 717
    /// The window below which slow start never ends.
    private static let leastFull = 16

    /// The maximum number of segments in flight.
    private(set) var window: Int
    private let initialWindow: Int

    /// The limit of the receive buffer.
    private let greatestWindow: Int
    private var threshold = Int.max

    private var slowStart = HyStart()
    private var curve = CubicCurve()

    // Recovery.
    private var windowBefore = 0
    private var delivered = 0
    private var sent = 0

    init(initialWindow: Int, greatestWindow: Int) {
        self.greatestWindow = max(1, greatestWindow)
        self.initialWindow = min(initialWindow, self.greatestWindow)
        window = self.initialWindow
    }

    /// Processes acknowledged segments while nothing is missing.
    ///
    /// - Parameters:
    ///   - count: The number of newly acknowledged segments.
    ///   - transmission: The latest acknowledged transmission.
    ///   - next: The number of the next transmission.
    ///   - isLimited: True if the window limits the sender.
    mutating func acknowledge(
        _ count: Int,
        transmission: Int,
        next: Int,
        roundTrip: RoundTrip,
        isLimited: Bool,
        at now: Instant
    ) {
        slowStart.acknowledge(transmission, next: next, at: now)
        guard isLimited else { return }
        var rest = count
        if window < threshold, window >= Self.leastFull, slowStart.isPipeFull(roundTrip, at: now) { threshold = window }
        if window < threshold {
            let grown = min(window + count, threshold, greatestWindow)
            rest -= grown - window
            window = grown
            if window < threshold { return }
        }
        guard rest > 0 else { return }
        window = min(curve.grow(by: rest, window: window, least: roundTrip.least, at: now), greatestWindow)
    }

    /// Reduces the window after an idle time, by half for each retransmission timeout, down to the initial window (RFC
    /// 2861).
    mutating func rest(for idle: Duration, timeout: Duration) {
        var left = idle - timeout
        while left > .zero, window > initialWindow {
            window = max(window / 2, initialWindow)
            left -= timeout
        }
        if idle > timeout { curve.restart() }
    }
}

extension Congestion {
    /// Reduces the window's target after a loss, once per flight.
    mutating func lose() {
        curve.lose(at: window)
        windowBefore = window
        threshold = max(window * Self.decrease / 1024, 2)
        (delivered, sent) = (0, 0)
    }

    /// Adjusts the window during recovery, in proportion.
    ///
    /// - Parameters:
    ///   - count: The number of segments that arrived.
    ///   - underWay: The number of segments in flight.
    ///   - isGood: True if the first missing segment arrived, and no other loss was found.
    mutating func recover(_ count: Int, underWay: Int, isGood: Bool) {
        delivered += count
        let room = threshold - underWay
        var more: Int
        if room < 0 {
            more = (threshold * delivered + windowBefore - 1) / windowBefore - sent
        } else {
            more = min(max(delivered - sent, count) + (isGood ? 1 : 0), room)
        }
        more = max(more, sent == 0 ? 1 : 0)
        window = underWay + more
    }

    /// Counts a segment sent during recovery.
    mutating func send() { sent += 1 }

    /// Ends recovery, when everything sent before the loss has arrived.
    mutating func endRecovery() { window = threshold }

    /// Restarts after a timeout with one segment more than in flight.
    ///
    /// - Parameters:
    ///   - isNews: True if this is the first loss of the flight.
    ///   - underWay: The number of segments in flight.
    mutating func timeOut(isNews: Bool, underWay: Int) {
        if isNews { lose() }
        window = underWay + 1
        curve.timeOut()
        slowStart.restart()
    }
}
