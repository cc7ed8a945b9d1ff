internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// What of a segment under way counts as buffered, and what is kept of one that broke off.
extension StreamLoader {
    /// The most of a segment that counts before it is whole: its end is there when it has been looked into.
    private static let mostShare = 0.999

    /// So much of a segment is read at a time where blocks count.
    static let block = 32 << 10

    /// Counts what has come of the segment under way, as much of its duration as of its bytes, in blocks of so many bytes.
    mutating func countUnderway(by block: Int = 1) {
        guard case .segment(next) = request.target, let slot = nextSlot, let (bytes, size) = request.progress else {
            return
        }
        content.glimpse(slot, of: bytes)
        guard content.playsByBytes, size > 0 else { return }
        let start = pieces.end ?? slot.start
        let came = (request.keptBytes + bytes.count) / block * block
        let share = min(Double(came) / Double(size), StreamLoader.mostShare)
        let length = Duration(reckonedNanoseconds: (Double((slot.end - start).wholeNanoseconds) * share).rounded(.down))
        pieces.underway = (start, start + max(.zero, length))
    }

    /// So much of a segment tells what is in it.
    private static let probe = 32 << 10

    /// Breaks the first segment off where enough of it has come to tell what is in it.
    mutating func breakOffProbe(_ turn: inout Turn) {
        guard arrivals == 0, !isLookedInto, request.keptBytes == 0, let (bytes, size) = request.progress,
            bytes.count >= StreamLoader.probe, size > bytes.count
        else { return }
        isLookedInto = true
        request.breakOff(&turn)
        pieces.underway = nil
    }

    /// Lets go of a first segment that came whole before it was broken off: it was only looked into, and is asked for again.
    ///
    /// - Returns: Whether it was.
    mutating func dropProbe() -> Bool {
        guard arrivals == 0, !isLookedInto, case .segment = request.target, let (bytes, size) = request.progress,
            Int64(bytes.count) == size
        else { return false }
        isLookedInto = true
        request.giveUp()
        pieces.underway = nil
        return true
    }

    /// Leaves out a segment that will not come, as if the playlist had a gap there.
    ///
    /// - Parameter target: What was asked for.
    /// - Returns: Whether it was one.
    mutating func skip(_ target: SegmentRequest.Target?) -> Bool {
        guard case .segment(next) = target, var slot = nextSlot else { return false }
        slot.isGap = true
        request.forgive()
        place(slot)
        return true
    }
}
