/// Reads the player's rate when the call has already paused it.
final class ReadsTheRateTooLate: Playlist {
    private var wasPlaying = false

    override func interruptionBegan() {
        wasPlaying = player.rate > 0
        isInterrupted = true
    }

    override func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        if shouldResume, wasPlaying { play() } else { giveUp() }
    }
}
