import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive; resumes items without video in place.
///
/// On a slow network, the platform checks the new item before its tracks are known, and may reject it.
public final class SwitchAndResumeAudio: Controller {
    override func didEnterBackground() {
        guard isUsable, wasPlaying else { return }
        guard player.currentItem?.hasVideo != false else { return player.play() }
        guard hasAudio else { return }
        isSwitched = true
        beginTask()
        switchItem(to: .audio, playing: true)
    }
}
