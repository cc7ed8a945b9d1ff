internal import Foundation
internal import SegueBase

/// The growth of a congestion window after slow start: CUBIC with its Reno-friendly region (RFC 9438).
struct CubicCurve {
    private static let cubic = 0.4
    /// The minimum time between updates of the curve while the window is unchanged.
    private static let leastUpdate: Int64 = 31_250_000

    private var greatestBeforeLoss = 0
    private var epoch: Instant?
    private var origin = 0
    private var plateau = 0.0
    private var friendly = 0
    private var friendlyAcknowledged = 0
    private var updated = (window: 0, at: Instant.zero)
    private var acknowledgementsForOne = 1
    private var acknowledged = 0

    /// Returns the window after the arrival of segments.
    ///
    /// - Parameters:
    ///   - count: The number of newly acknowledged segments.
    ///   - window: The window before the arrival, in segments.
    ///   - least: The minimum round-trip time, in nanoseconds.
    mutating func grow(by count: Int, window: Int, least: Int64, at now: Instant) -> Int {
        var window = window
        update(count, window: window, least: least, at: now)
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
        return window
    }

    /// Begins another curve with the next acknowledgement.
    mutating func restart() { epoch = nil }

    /// Begins another curve after a loss at a window.
    mutating func lose(at window: Int) {
        greatestBeforeLoss =
            window < greatestBeforeLoss ? window * (1024 + Congestion.decrease) / 2048 : window
        epoch = nil
    }

    /// Forgets the losses, after a timeout.
    mutating func timeOut() { (greatestBeforeLoss, epoch, acknowledged) = (0, nil, 0) }

    /// Updates the number of acknowledged segments that widen the window by one.
    private mutating func update(_ count: Int, window: Int, least: Int64, at now: Instant) {
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
