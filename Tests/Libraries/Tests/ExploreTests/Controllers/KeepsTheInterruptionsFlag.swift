/// Remembers that a call has paused it, and clears that only when it should resume, not when its user pauses, plays, or
/// chooses another title.
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
