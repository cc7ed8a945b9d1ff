/// Has one toggle method for its button and for calls, so that a paused title starts when a call comes.
final class TogglesAtInterruption: Playlist {
    override func interruptionBegan() { toggle() }
    override func interruptionEnded(_ shouldResume: Bool) { toggle() }
}
