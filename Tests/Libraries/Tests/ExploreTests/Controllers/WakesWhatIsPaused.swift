/// Plays at the end of a call, whatever the state before it.
final class WakesWhatIsPaused: Playlist {
    override func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        if shouldResume { play() } else { giveUp() }
    }
}
