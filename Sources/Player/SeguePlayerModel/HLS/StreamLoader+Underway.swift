internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Incomplete segments: the part that counts as buffered, and the data kept after an interruption.
extension StreamLoader {
    /// The maximum share of a segment that counts before it has been inspected as a whole.
    private static let mostShare = 0.999

    /// The block size for `counts: blocks`.
    static let block = 32 << 10

    /// Counts the received part of the segment: the same share of its duration as of its bytes, in blocks of a size.
    mutating func countUnderway(by block: Int = 1) {
        guard case .segment(progress.next) = request.target, let slot = nextSlot, let (bytes, size) = request.progress
        else {
            return
        }
        content.glimpse(slot, of: bytes)
        guard content.playsByBytes, size > 0 else { return }
        let start = progress.pieces.end ?? slot.start
        let came = (request.keptBytes + bytes.count) / block * block
        let share = min(Double(came) / Double(size), StreamLoader.mostShare)
        let length = Duration(reckonedNanoseconds: (Double((slot.end - start).wholeNanoseconds) * share).rounded(.down))
        progress.pieces.underway = (start, start + max(.zero, length))
    }

    /// The number of bytes that suffice to inspect a segment.
    private static let probe = 32 << 10

    /// Interrupts the first segment when enough has arrived to inspect it.
    mutating func breakOffProbe(_ context: inout StepContext) {
        guard arrivals == 0, !isLookedInto, request.keptBytes == 0, let (bytes, size) = request.progress,
            bytes.count >= StreamLoader.probe, size > bytes.count
        else { return }
        isLookedInto = true
        request.breakOff(&context)
        progress.pieces.underway = nil
    }

    /// Discards a first segment that was complete before it could be interrupted, to request it again, and returns
    /// whether it did.
    mutating func dropProbe() -> Bool {
        guard arrivals == 0, !isLookedInto, case .segment = request.target, let (bytes, size) = request.progress,
            Int64(bytes.count) == size
        else { return false }
        isLookedInto = true
        request.giveUp()
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
