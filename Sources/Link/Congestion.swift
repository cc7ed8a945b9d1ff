internal import Foundation
internal import Timeline

/// How many segments a sender may have under way.
///
/// Slow start with its end by delay (HyStart), then CUBIC (RFC 9438), as Linux does it.
struct Congestion {
    private static let cubic = 0.4
    private static let decrease = 0.7

    /// How many segments may be under way.
    private(set) var window: Double
    private let initialWindow: Double

    /// What the receiver's buffer allows.
    private let greatestWindow: Double
    private var threshold = Double.infinity

    // HyStart, a round of acknowledgements at a time.
    private var roundEnd = -1
    private var roundLeast = Int64.max
    private var roundSamples = 0

    // CUBIC.
    private var greatestBeforeLoss = 0.0
    private var epoch: Instant?
    private var origin = 0.0
    private var plateau = 0.0
    private var friendly = 0.0

    init(initialWindow: Int, greatestWindow: Int) {
        self.greatestWindow = Double(max(1, greatestWindow))
        self.initialWindow = min(Double(initialWindow), self.greatestWindow)
        window = self.initialWindow
    }

    /// Segments were acknowledged.
    ///
    /// - Parameters:
    ///   - count: How many, that were not known to have come.
    ///   - transmission: The latest transmission that is known to have come.
    ///   - next: The next transmission's number.
    ///   - roundTrip: The time that the latest took, in nanoseconds.
    ///   - least: The least such time so far.
    ///   - isLimited: Whether the window is what holds the sender back.
    ///   - now: When.
    mutating func acknowledge(
        _ count: Int,
        transmission: Int,
        next: Int,
        roundTrip: Int64,
        least: Int64,
        isLimited: Bool,
        at now: Instant
    ) {
        if transmission >= roundEnd { (roundEnd, roundLeast, roundSamples) = (next, .max, 0) }
        guard isLimited else { return }
        if window < threshold {
            window = min(window + Double(count), greatestWindow)
            roundSamples += 1
            roundLeast = min(roundLeast, roundTrip)
            let slack = min(max(least / 8, 4_000_000), 16_000_000)
            if window >= 16, roundSamples >= 8, roundLeast > least + slack { threshold = window }
        } else {
            avoid(count, roundTrip: least, at: now)
        }
    }

    /// A segment was lost: the window shrinks, once for each flight.
    mutating func lose() {
        greatestBeforeLoss = window < greatestBeforeLoss ? window * (1 + Self.decrease) / 2 : window
        threshold = max(window * Self.decrease, 2)
        window = threshold
        epoch = nil
    }

    /// Nothing came back in time: the sender begins again with one segment.
    mutating func timeOut() {
        lose()
        window = 1
    }

    /// The connection was idle: the window halves for each retransmission timeout, down to the initial one (RFC 2861).
    mutating func rest(for idle: Duration, timeout: Duration) {
        var left = idle - timeout
        while left > .zero, window > initialWindow {
            window = max(window / 2, initialWindow)
            left -= timeout
        }
        if idle > timeout { epoch = nil }
    }

    private mutating func avoid(_ count: Int, roundTrip: Int64, at now: Instant) {
        if epoch == nil {
            epoch = now
            origin = max(window, greatestBeforeLoss)
            plateau = window < greatestBeforeLoss ? cbrt((greatestBeforeLoss - window) / Self.cubic) : 0
            friendly = window
        }
        let time = (now - (epoch ?? now)).seconds + Double(roundTrip) / 1e9
        let target = origin + Self.cubic * pow(time - plateau, 3)
        var acknowledgementsForOne = target > window ? window / (target - window) : 100 * window
        // Before the first loss growth is at least a twentieth of the window each round trip.
        if greatestBeforeLoss == 0 { acknowledgementsForOne = min(acknowledgementsForOne, 20) }
        friendly += 3 * (1 - Self.decrease) / (1 + Self.decrease) * Double(count) / window
        if friendly > window { acknowledgementsForOne = min(acknowledgementsForOne, window / (friendly - window)) }
        window = min(window + Double(count) / max(acknowledgementsForOne, 2), greatestWindow)
    }
}
