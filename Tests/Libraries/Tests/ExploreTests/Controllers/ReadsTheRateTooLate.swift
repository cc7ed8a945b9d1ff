/// Asks the player whether it was playing when the call has paused it already.
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
