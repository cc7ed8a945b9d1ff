internal import SegueBase

/// The end of slow start by HyStart, in rounds of acknowledgements.
struct HyStart {
    private var roundEnd = -1
    private var roundLeast = Int64.max
    private var roundSamples = 0
    private var roundStart = Instant.zero
    private var trainEnd = Instant.zero

    /// Begins a round if the last one has ended.
    ///
    /// - Parameters:
    ///   - transmission: The latest acknowledged transmission.
    ///   - next: The number of the next transmission.
    @inline(__always)
    mutating func acknowledge(_ transmission: Int, next: Int, at now: Instant) {
        guard transmission >= roundEnd else { return }
        (roundEnd, roundLeast, roundSamples) = (next, .max, 0)
        (roundStart, trainEnd) = (now, now)
    }

    /// Begins a round with the next acknowledgement.
    mutating func restart() { (roundEnd, roundLeast, roundSamples) = (-1, .max, 0) }

    /// Returns whether slow start should end, because round trips have become longer or a train of close acknowledgements lasts
    /// half a round trip.
    mutating func isPipeFull(_ roundTrip: RoundTrip, at now: Instant) -> Bool {
        let slack = min(max(roundTrip.least / 8, 4_000_000), 16_000_000)
        roundSamples += 1
        roundLeast = min(roundLeast, roundTrip.latest)
        if roundSamples > 8, roundLeast > roundTrip.least + slack { return true }
        guard now.nanoseconds - trainEnd.nanoseconds <= 2_000_000 else { return false }
        trainEnd = now
        return (now.nanoseconds - roundStart.nanoseconds) * 2 > roundTrip.least + 1_000_000
    }
}
