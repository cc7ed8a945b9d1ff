import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive, whatever `rate` is now; leaves items without
/// video alone.
///
/// If the platform also pauses music, the music does not continue.
public final class SwitchIfWasPlaying: Controller {
    override func didEnterBackground() {
        guard isUsable, wasPlaying, player.currentItem?.hasVideo != false, hasAudio else { return }
        isSwitched = true
        beginTask()
        switchItem(to: .audio, playing: true)
    }
}
