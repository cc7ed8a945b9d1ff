internal import SegueBase

/// What a player has to load in a second, by the sizes and lengths of segments.
package struct BitRates: Sendable {
    /// Bits per second of the stretch with the most.
    ///
    /// RFC 8216, 4.1: over contiguous segments that are together half to one and a half target durations long; where
    /// there are none, over everything.
    package let peak: Double
    /// Bits per second over the whole.
    package let average: Double

    /// The rates of segments.
    ///
    /// - Parameters:
    ///   - segments: The bytes and seconds of each.
    ///   - target: The target duration, in whole seconds.
    package init(_ segments: [(bytes: Int, seconds: Double)], target: Int64) {
        var peak = 0.0
        for first in segments.indices {
            var (bytes, seconds) = (0, 0.0)
            for next in segments[first...] {
                (bytes, seconds) = (bytes + next.bytes, seconds + next.seconds)
                guard seconds <= 1.5 * Double(target) else { break }
                if seconds >= 0.5 * Double(target) { peak = max(peak, Double(bytes * 8) / seconds) }
            }
        }
        let (bytes, seconds) = segments.reduce((0, 0.0)) { ($0.0 + $1.bytes, $0.1 + $1.seconds) }
        average = Double(bytes * 8) / max(0.001, seconds)
        self.peak = peak > 0 ? peak : average
    }
}
