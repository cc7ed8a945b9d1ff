internal import SegueBase

/// The bit rates of a list of segments.
package struct BitRates: Sendable {
    /// The peak bit rate, in bits per second.
    ///
    /// RFC 8216, 4.1: over contiguous segments with a total duration of 0.5 to 1.5 target durations; over everything if
    /// there are none.
    package let peak: Double
    /// The average bit rate, in bits per second.
    package let average: Double

    /// Computes the rates from the bytes and seconds of each segment, and the target duration in seconds.
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
