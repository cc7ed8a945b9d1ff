internal import SegueBase

/// Seeks in items whose timeline is not known yet.
extension RenditionPlayer {
    /// Returns whether an item that is created at a position starts exactly there.
    ///
    /// The seed and the item decide, so that other random choices of a run stay as they are.
    ///
    /// - Parameters:
    ///   - item: The number of the item.
    ///   - isWanted: True if the app asks for it.
    /// - Returns: True if it starts at that position, and not at the start of the segment.
    func startsExactly(_ item: Int, isWanted: Bool) -> Bool {
        let share = Double(player.profile.playback.earlySeekJumps) / 100
        guard isWanted, share > 0 else { return isWanted }
        var random = SeededRandom(seed: seed &+ UInt64(truncatingIfNeeded: item) << 32)
        return random.nextUnit() >= share
    }
}
