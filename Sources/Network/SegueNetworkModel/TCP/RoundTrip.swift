/// What a sender knows of its round trip, in nanoseconds (RFC 6298, with Linux's least timeout).
struct RoundTrip {
    private static let leastTimeout: Int64 = 200_000_000
    private static let greatestTimeout: Int64 = 120_000_000_000

    /// What Linux adds to short timers: two ticks of a clock with 250 of them a second.
    static let leastTimer: Int64 = 8_000_000

    private(set) var smoothed: Int64 = 1
    private var variation: Int64 = 1
    private(set) var least: Int64 = 1
    /// What the latest packet took that is known to have come.
    private(set) var latest: Int64 = 1

    /// The first measure: that of the handshake.
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

    /// The retransmission timeout.
    var timeout: Int64 { timeout(after: 0) }

    /// The retransmission timeout after so many in vain, each of which doubles it.
    func timeout(after backoff: Int) -> Int64 {
        let timeout = min(smoothed + max(4 * variation, Self.leastTimeout), Self.greatestTimeout)
        return min(timeout << min(backoff, 10), Self.greatestTimeout)
    }

    /// What no wait for an answer is shorter than, be it for a probe or for a retransmission.
    var leastWait: Int64 {
        min(smoothed + min(smoothed + Self.leastTimer, Self.leastTimeout), Self.greatestTimeout)
    }

    /// After how long the tail is probed; longer where the one packet under way may wait to be acknowledged.
    func probeTimeout(isAlone: Bool) -> Int64 {
        min(2 * smoothed + (isAlone ? Self.leastTimeout : Self.leastTimer), timeout)
    }
}
