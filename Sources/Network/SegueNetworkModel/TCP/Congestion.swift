internal import Foundation
internal import SegueBase

/// The congestion window of a sender.
///
/// Slow start with HyStart, then CUBIC with its Reno-friendly region (RFC 9438), and proportional rate reduction during
/// recovery (RFC 6937). Windows are whole numbers as in Linux, which determines the cost of a loss with few segments in
/// flight.
struct Congestion {
    private static let cubic = 0.4
    /// The share of the window that remains after a loss, in 1024ths.
    private static let decrease = 717
    /// The window below which slow start never ends.
    private static let leastFull = 16
    /// The minimum time between updates of the curve while the window is unchanged.
    private static let leastUpdate: Int64 = 31_250_000

    /// The maximum number of segments in flight.
    private(set) var window: Int
    private let initialWindow: Int

    /// The limit of the receive buffer.
    private let greatestWindow: Int
    private var threshold = Int.max

    // HyStart, by rounds of acknowledgements.
    private var roundEnd = -1
    private var roundLeast = Int64.max
    private var roundSamples = 0
    private var roundStart = Instant.zero
    private var trainEnd = Instant.zero

    // CUBIC.
    private var greatestBeforeLoss = 0
    private var epoch: Instant?
    private var origin = 0
    private var plateau = 0.0
    private var friendly = 0
    private var friendlyAcknowledged = 0
    private var updated = (window: 0, at: Instant.zero)
    private var acknowledgementsForOne = 1
    private var acknowledged = 0

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
        if transmission >= roundEnd {
            (roundEnd, roundLeast, roundSamples) = (next, .max, 0)
            (roundStart, trainEnd) = (now, now)
        }
        guard isLimited else { return }
        var rest = count
        if window < threshold, window >= Self.leastFull, isPipeFull(roundTrip, at: now) { threshold = window }
        if window < threshold {
            let grown = min(window + count, threshold, greatestWindow)
            rest -= grown - window
            window = grown
            if window < threshold { return }
        }
        if rest > 0 { avoid(rest, least: roundTrip.least, at: now) }
    }

    /// Returns whether slow start should end, because round trips have become longer or a train of close acknowledgements lasts
    /// half a round trip.
    private mutating func isPipeFull(_ roundTrip: RoundTrip, at now: Instant) -> Bool {
        let slack = min(max(roundTrip.least / 8, 4_000_000), 16_000_000)
        roundSamples += 1
        roundLeast = min(roundLeast, roundTrip.latest)
        if roundSamples > 8, roundLeast > roundTrip.least + slack { return true }
        guard now.nanoseconds - trainEnd.nanoseconds <= 2_000_000 else { return false }
        trainEnd = now
        return (now.nanoseconds - roundStart.nanoseconds) * 2 > roundTrip.least + 1_000_000
    }

    /// Reduces the window after an idle time, by half for each retransmission timeout, down to the initial window (RFC
    /// 2861).
    mutating func rest(for idle: Duration, timeout: Duration) {
        var left = idle - timeout
        while left > .zero, window > initialWindow {
            window = max(window / 2, initialWindow)
            left -= timeout
        }
        if idle > timeout { epoch = nil }
    }

    private mutating func avoid(_ count: Int, least: Int64, at now: Instant) {
        update(count, least: least, at: now)
        if acknowledged >= acknowledgementsForOne {
            acknowledged = 0
            window += 1
        }
        acknowledged += count
        if acknowledged >= acknowledgementsForOne {
            let growth = acknowledged / acknowledgementsForOne
            acknowledged -= growth * acknowledgementsForOne
            window += growth
        }
        window = min(window, greatestWindow)
    }

    /// Updates the number of acknowledged segments that widen the window by one.
    private mutating func update(_ count: Int, least: Int64, at now: Instant) {
        friendlyAcknowledged += count
        if updated.window == window, epoch != nil, now.nanoseconds - updated.at.nanoseconds <= Self.leastUpdate {
            return
        }
        updated = (window, now)
        if epoch == nil {
            epoch = now
            friendlyAcknowledged = count
            friendly = window
            origin = max(window, greatestBeforeLoss)
            plateau = window < greatestBeforeLoss ? cbrt(Double(greatestBeforeLoss - window) / Self.cubic) : 0
        }
        let time = Double(now.nanoseconds - (epoch ?? now).nanoseconds + least) / 1e9 - plateau
        let target = origin + Int(max(min(Self.cubic * time * time * time, 1e9), -1e9))
        acknowledgementsForOne = target > window ? window / (target - window) : 100 * window
        // Before the first loss, the window grows by at least a twentieth per round trip.
        if greatestBeforeLoss == 0 { acknowledgementsForOne = min(acknowledgementsForOne, 20) }
        // Reno with a decrease to 0.7 grows by one for 15/8 windows acknowledged.
        let forOne = max(window * 15 / 8, 1)
        while friendlyAcknowledged > forOne {
            friendlyAcknowledged -= forOne
            friendly += 1
        }
        if friendly > window {
            acknowledgementsForOne = min(acknowledgementsForOne, window / (friendly - window))
        }
        acknowledgementsForOne = max(acknowledgementsForOne, 2)
    }
}

extension Congestion {
    /// Reduces the window's target after a loss, once per flight.
    mutating func lose() {
        greatestBeforeLoss = window < greatestBeforeLoss ? window * (1024 + Self.decrease) / 2048 : window
        windowBefore = window
        threshold = max(window * Self.decrease / 1024, 2)
        epoch = nil
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
        (greatestBeforeLoss, epoch, acknowledged) = (0, nil, 0)
        (roundEnd, roundLeast, roundSamples) = (-1, .max, 0)
    }
}
