/// Has one method for its button and for calls, which toggles: what is paused begins when a call comes.
final class TogglesAtInterruption: Playlist {
    override func interruptionBegan() { toggle() }
    override func interruptionEnded(_ shouldResume: Bool) { toggle() }
}
