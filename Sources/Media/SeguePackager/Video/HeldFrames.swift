internal import SegueBase

/// The frames of transcoded video, with long-standing frames repeated.
///
/// A slide show or a paused camera shows nothing new for minutes, but a cut requires a frame. A frame displayed for
/// more than ``longest`` is therefore encoded again at even intervals of about a segment.
struct HeldFrames {
    /// The presentation times, ascending.
    private(set) var times: [Int64] = []
    /// The packet number of each frame.
    private(set) var packets: [Int] = []

    /// The maximum duration of a frame without repetition, in seconds.
    static let longest = CutList.target * Rational(2)

    /// The maximum duration of a repeated frame, in seconds; longer ones are faults in the source's timestamps.
    static let mostHeld = Rational(1800)
    /// The maximum total excess duration, in seconds; faulty timestamps often affect all frames.
    static let mostInAll = Rational(5400)

    /// Adds the repetitions; `times` are ascending, and `end` is the end of the last frame.
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
