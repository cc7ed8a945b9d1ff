internal import SegueBase

/// The pause in loading while enough is buffered.
struct BufferPause: Sendable {
    private(set) var isOn = false

    mutating func end() { isOn = false }

    /// Ends if the buffer ahead of the playhead has run down.
    mutating func end(ahead: Duration, _ depth: BufferDepth) { if ahead <= depth.resume { end() } }

    /// Begins if the buffer is full.
    ///
    /// If the two limits are equal, loading pauses above them.
    mutating func begin(ahead: Duration, _ depth: BufferDepth) {
        if ahead >= depth.limit, ahead > depth.resume { isOn = true }
    }

    /// Returns the instant at which the buffer will have run down at a rate; nil while nothing plays.
    static func end(ahead: Duration, _ depth: BufferDepth, rate: Double, at now: Instant) -> Instant? {
        guard rate > 0 else { return nil }
        let spare = ahead - depth.resume
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }
}
