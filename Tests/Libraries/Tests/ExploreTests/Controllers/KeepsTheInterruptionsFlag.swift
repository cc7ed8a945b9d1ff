/// Notes that a call has paused it, and forgets that only when it is told to go on: not when its user pauses, plays or
/// chooses something else.
final class KeepsTheInterruptionsFlag: Playlist {
    private var isPausedByInterruption = false

    override var mayPlay: Bool { super.mayPlay && !isPausedByInterruption }

    override func interruptionBegan() {
        isPausedByInterruption = isPausedByInterruption || isWanted
        isInterrupted = true
    }

    override func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        guard shouldResume, isPausedByInterruption || isWanted else { return giveUp() }
        isPausedByInterruption = false
        play()
    }
}
