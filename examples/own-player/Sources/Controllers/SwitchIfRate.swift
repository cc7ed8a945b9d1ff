import SeguePlayer

/// Switches to the audio alone if `rate` is not 0 in didEnterBackground, and plays immediately.
///
/// If the platform has paused a film by then, `rate` is 0 and playback ends.
public final class SwitchIfRate: Controller {
    override func didEnterBackground() {
        guard isUsable, player.rate != 0, hasAudio else { return }
        isSwitched = true
        beginTask()
        switchItem(to: .audio, playing: true)
    }
}
