/// Notes that a call has paused it, and does not forget that when its user pauses, or chooses something else.
final class KeepsTheInterruptionsFlag: Playlist {
    private var isPausedByInterruption = false

    override func interruptionBegan() {
        if isWanted { isPausedByInterruption = true }
        isInterrupted = true
    }

    override func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        guard shouldResume, isPausedByInterruption || isWanted else { return giveUp() }
        isPausedByInterruption = false
        play()
    }
}
