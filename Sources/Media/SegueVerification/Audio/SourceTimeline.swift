internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// The timestamps of a source's audio frames, and where they contradict the count of samples.
struct SourceTimeline {
    /// Gaps and backward steps in the source's timestamps: the sample and the duration in seconds.
    private(set) var jumps: [(sample: Int64, seconds: Double)] = []
    /// The number of frames so far.
    private(set) var heardFrames = 0
    /// The unit of the source's timestamps, in seconds.
    let unit: Double

    private let timeBase: Rational
    private let rate: Int
    private let hasVideo: Bool
    private var frames: [(sample: Int64, time: Double, due: ClosedRange<Double>)] = []
    private var due = DueTimes()
    private var framesBeforeJump = 0
    private var expected: Double?

    /// The number of frame times kept for comparison.
    private static let keptFrames = 8192

    /// Creates an empty timeline of samples at `rate` in hertz; `hasVideo` if the file also has video.
    init(unit timeBase: Rational, rate: Int, hasVideo: Bool) {
        (self.timeBase, self.rate, self.hasVideo) = (timeBase, rate, hasVideo)
        unit = timeBase.seconds
    }

    /// Adds a frame that starts at an output sample.
    mutating func add(_ frame: Frame, at sample: Int64) {
        let length = Double(frame.sampleCount) / Double(frame.sampleRate)
        let said = frame.bestEffortTimestamp.map { (Rational($0) * timeBase).seconds }
        let due = self.due.add(said, length: length)
        if let time = said, let due {
            if let expected, abs(time - expected) > max(0.005, 2.5 * unit) {
                if jumps.isEmpty { framesBeforeJump = heardFrames }
                if jumps.count < 10_000 { jumps.append((sample, time - expected)) }
            }
            frames.append((sample, time, due))
            if frames.count > 2 * Self.keptFrames { frames.removeSubrange(1...Self.keptFrames) }
            expected = time
        }
        expected = expected.map { $0 + length }
        heardFrames += 1
    }

    /// Returns the duration of a hole before a frame that starts at an output sample, in seconds; nil without one that
    /// silence fills.
    ///
    /// The end of the audio before it is that of its samples, since rounded timestamps may differ.
    func hole(before frame: Frame, at sample: Int64) -> Double? {
        guard let timestamp = frame.bestEffortTimestamp, let expected else { return nil }
        let time = (Rational(timestamp) * timeBase).seconds
        guard AudioHoles.areFilled(time - expected), let end = countedTime(of: sample), time > end else {
            return nil
        }
        return time - end
    }

    /// Removes a hole that silence fills.
    mutating func fill(_ hole: Double) { expected = expected.map { $0 + hole } }

    /// True if the source's timestamps determine the audio's timing.
    var tellsTimes: Bool {
        Self.tellsTimes(jumps: jumps.map(\.seconds), frames: heardFrames, beforeJump: framesBeforeJump)
    }

    /// True if timestamps with some jumps determine the timing.
    ///
    /// They do not if they contradict the sample count repeatedly and drift away, or if all but the first few are
    /// offset by a second or more.
    static func tellsTimes(jumps: [Double], frames: Int, beforeJump: Int) -> Bool {
        if beforeJump <= OutlierTimestamps.most, let first = jumps.first, first < -OutlierTimestamps.distance {
            return false
        }
        let small = jumps.filter { abs($0) < DueTimes.hole }
        var (sum, greatest) = (0.0, 0.0)
        for jump in small {
            sum += jump
            greatest = max(greatest, abs(sum))
        }
        return small.count <= max(8, frames / 10) || greatest < DueTimes.hole
    }

    /// The declared and acceptable presentation times of a sample, in seconds; nil if unknown or no longer kept.
    func time(of sample: Int64) -> (said: Double, due: ClosedRange<Double>)? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].sample <= sample { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let frame = frames[low - 1]
        let inside = Double(sample - frame.sample) / Double(rate)
        let due = frame.due.lowerBound + inside...frame.due.upperBound + inside
        guard !hasVideo, let counted = countedTime(of: sample) else { return (frame.time + inside, due) }
        return (counted, min(counted, due.lowerBound)...max(counted, due.upperBound))
    }

    /// The presentation time of a sample without video: the sample count from the first timestamp, re-anchored at
    /// jumps, because rounding may accumulate.
    private func countedTime(of sample: Int64) -> Double? {
        guard let first = frames.first else { return nil }
        let jumped = jumps.reduce(0) { $0 + ($1.sample <= sample ? $1.seconds : 0) }
        return first.time + Double(sample - first.sample) / Double(rate) + jumped
    }
}
