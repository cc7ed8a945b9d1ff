/// A sender's round-trip estimate in nanoseconds (RFC 6298, with Linux's minimum timeout).
struct RoundTrip {
    private static let leastTimeout: Int64 = 200_000_000
    private static let greatestTimeout: Int64 = 120_000_000_000

    /// Linux's addition to short timers: two ticks at 250 Hz.
    static let leastTimer: Int64 = 8_000_000

    private(set) var smoothed: Int64 = 1
    private var variation: Int64 = 1
    private(set) var least: Int64 = 1
    /// The time of the latest acknowledged packet.
    private(set) var latest: Int64 = 1

    /// Creates an estimate from the handshake.
    init(handshake: Int64 = 1) {
        smoothed = max(handshake, 1)
        (least, latest, variation) = (smoothed, smoothed, smoothed / 2)
    }

    @inline(__always)
    mutating func measure(_ time: Int64) {
        least = min(least, time)
        latest = time
        variation += (abs(time - smoothed) - variation) / 4
        smoothed += (time - smoothed) / 8
    }

    var timeout: Int64 { timeout(after: 0) }

    /// The retransmission timeout after a number of backoffs, each of which doubles it.
    func timeout(after backoff: Int) -> Int64 {
        let timeout = min(smoothed + max(4 * variation, Self.leastTimeout), Self.greatestTimeout)
        return min(timeout << min(backoff, 10), Self.greatestTimeout)
    }

    /// The minimum of all waits, for probes and retransmissions.
    var leastWait: Int64 {
        min(smoothed + min(smoothed + Self.leastTimer, Self.leastTimeout), Self.greatestTimeout)
    }

    /// The timeout of the tail loss probe; longer for a single packet, whose acknowledgement may be delayed.
    func probeTimeout(isAlone: Bool) -> Int64 {
        min(2 * smoothed + (isAlone ? Self.leastTimeout : Self.leastTimer), timeout)
    }
}
