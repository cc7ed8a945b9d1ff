import SeguePlayer

/// Goes over to the sound alone when it was playing in willResignActive; what has no pictures it plays on in place.
///
/// Where the network is slow, the platform looks at the new item before its tracks are known, and may reject it.
public final class SwitchAndResumeAudio: Controller {
    override func didEnterBackground() {
        guard isUsable, wasPlaying else { return }
        guard player.currentItem?.hasVideo != false else { return player.play() }
        guard hasSound else { return }
        isSwitched = true
        goOver(to: .sound, playing: true)
    }
}
