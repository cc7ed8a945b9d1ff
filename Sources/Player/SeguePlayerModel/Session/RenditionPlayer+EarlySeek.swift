internal import SegueBase

/// Seeks in items whose timeline is not known yet.
extension RenditionPlayer {
    /// Returns whether an item that is created at a position starts exactly there.
    ///
    /// - Parameter isWanted: True if the app asks for it.
    /// - Returns: True if it starts at that position, and not at the start of the segment.
    mutating func startsExactly(isWanted: Bool) -> Bool {
        let share = Double(player.profile.playback.earlySeekJumps) / 100
        guard isWanted, share > 0 else { return isWanted }
        return starts.nextUnit() >= share
    }
}
