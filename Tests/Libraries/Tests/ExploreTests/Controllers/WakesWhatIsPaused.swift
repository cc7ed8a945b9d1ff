/// Plays at the end of a call, whatever was so when it began.
final class WakesWhatIsPaused: Playlist {
    override func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        if shouldResume { play() } else { giveUp() }
    }
}
