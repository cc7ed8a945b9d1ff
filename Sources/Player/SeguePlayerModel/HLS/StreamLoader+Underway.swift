internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Segments that end before they are complete.
extension StreamLoader {
    /// The block size for `counts: blocks`.
    static let block = 32 << 10

    /// Interrupts the first segment when enough has arrived to inspect it.
    mutating func breakOffProbe(_ context: inout StepContext) {
        if intake.arrivals == 0, firstLook.breakOff(&request, &context) { progress.pieces.underway = nil }
    }

    /// Discards a first segment that was complete before it could be interrupted, and returns whether it did.
    mutating func dropProbe() -> Bool {
        guard intake.arrivals == 0, firstLook.drop(&request) else { return false }
        progress.pieces.underway = nil
        return true
    }

    /// Skips a segment that will not arrive, as if the playlist had a gap, and returns whether the target is one.
    mutating func skip(_ target: SegmentRequest.Target?) -> Bool {
        guard case .segment(progress.next) = target, var slot = nextSlot else { return false }
        slot.isGap = true
        request.forgive()
        progress.place(slot)
        return true
    }
}
