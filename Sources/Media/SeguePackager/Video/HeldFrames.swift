internal import SegueBase

/// The frames of a transcoded film, with those that stand for long shown again while they do.
///
/// A film of slides, or of a camera that paused, shows nothing new for minutes, and can be cut only where a frame
/// begins. So that no segment grows too long, a frame that stands for more than ``longest`` is coded again at even
/// distances, about as long as a segment each.
struct HeldFrames {
    /// When frames are shown, ascending.
    private(set) var times: [Int64] = []
    /// The number of each frame's packet in the index.
    private(set) var packets: [Int] = []

    /// How long a frame may stand without being shown again, in seconds.
    static let longest = CutList.target * Rational(2)

    /// How long a frame may stand at most, in seconds: what is longer is a fault of the source's timestamps.
    static let mostHeld = Rational(1800)
    /// How long frames may stand too long in all, in seconds; where timestamps are at fault, they often all are.
    static let mostInAll = Rational(5400)

    /// Adds what is shown again.
    ///
    /// - Parameters:
    ///   - times: When the source's frames are shown, ascending.
    ///   - packets: The number of each frame's packet.
    ///   - end: When the last one ends.
    ///   - timescale: Units a second of the times.
    init(times: [Int64], packets: [Int], end: Int64, timescale: Int64) {
        let longest = (Self.longest * Rational(timescale)).floored()
        let most = (Self.mostHeld * Rational(timescale)).floored()
        var left = (Self.mostInAll * Rational(timescale)).floored()
        let target = CutList.target * Rational(timescale)
        for (place, time) in times.enumerated() {
            self.times.append(time)
            self.packets.append(packets[place])
            let length = (place + 1 < times.count ? times[place + 1] : end) - time
            guard length > longest, length <= min(most, left) else { continue }
            left -= length
            let count = (Rational(length) / target).rounded(scale: 1)
            for number in 1..<count {
                self.times.append(time + (Rational(length * number) / Rational(count)).floored())
                self.packets.append(packets[place])
            }
        }
    }
}
