/// When the frames of a source's audio are due, where its timestamps and its count of samples say different things.
///
/// Containers round timestamps, some write them for packets that hold now more and now fewer frames, and clocks drift:
/// what is told differs by some milliseconds from what the samples before take. A player goes by the samples, set going
/// at some timestamp; which one nobody can say, and so each time that one of them leads to is right. Where timestamps
/// go back, audio is late until it has caught up: half of each frame is heard at least.
struct DueTimes {
    /// Contradictions of this many seconds and more are holes in the source, and not its rounding: audio that is as far
    /// from its frame is noticed.
    static let hole = 0.06

    /// Seconds of audio so far.
    private var counted = 0.0
    /// The minimum and the maximum timestamp less the seconds counted, since the last hole.
    private var bases: ClosedRange<Double>?
    private var last = 0.0
    /// Where the source has just jumped so far that its new timestamps may be strays: what held before, and for how
    /// many frames it may yet be what is right.
    private var before: (bases: ClosedRange<Double>, frames: Int)?
    /// When half of the frame before is over, if it came as late as it may.
    private var half = -Double.infinity

    /// Takes the next frame.
    ///
    /// - Parameters:
    ///   - time: Its timestamp, in seconds; nil where it has none.
    ///   - length: How long it lasts, in seconds.
    /// - Returns: From when to when it is due; nil where nothing has told yet.
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
