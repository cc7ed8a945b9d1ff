internal import SegueBase

/// The acceptable presentation times of audio frames if timestamps and sample counts disagree.
///
/// Containers round timestamps, some write them for packets of varying frame counts, and clocks drift, so timestamps
/// and counts differ by some milliseconds. A player counts samples from an arbitrary timestamp, so every time derived
/// from one is acceptable. After timestamps go back, audio is late until it catches up: at least half of each frame is
/// played.
struct DueTimes {
    /// The contradiction in seconds from which it is a gap in the source and not rounding, because the offset is
    /// noticeable.
    static let hole = 0.06

    /// The duration of the audio so far, in seconds.
    private var counted = 0.0
    /// The minimum and maximum of timestamp minus counted duration since the last gap.
    private var bases: ClosedRange<Double>?
    private var last = 0.0
    /// The previous bases after a large jump whose timestamps may be outliers, and the number of frames for which they
    /// remain acceptable.
    private var before: (bases: ClosedRange<Double>, frames: Int)?
    /// The latest acceptable time at which half of the previous frame is over.
    private var half = -Double.infinity

    /// Adds a frame of a length in seconds; returns its acceptable presentation times, or nil before the first
    /// timestamp.
    mutating func add(_ time: Double?, length: Double) -> ClosedRange<Double>? {
        defer { counted += length }
        if let time {
            let base = time - counted
            if let known = bases, abs(base - last) < Self.hole {
                let (least, most) = (min(known.lowerBound, base), max(known.upperBound, base))
                bases = max(least, base - Self.hole)...min(most, base + Self.hole)
            } else {
                before = bases.flatMap {
                    abs(base - last) > OutlierTimestamps.distance ? ($0, OutlierTimestamps.most) : nil
                }
                bases = base...base
            }
            last = base
        }
        guard let bases else { return nil }
        var due = counted + bases.lowerBound...max(counted + bases.upperBound, half)
        half = due.upperBound + length / 2
        if let (old, frames) = before {
            due = min(due.lowerBound, counted + old.lowerBound)...max(due.upperBound, counted + old.upperBound)
            before = frames > 1 ? (old, frames - 1) : nil
        }
        return due
    }
}
