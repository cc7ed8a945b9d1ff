import SeguePlayer

/// Switches to the audio alone if it was playing in willResignActive, whatever `rate` is now; leaves items without
/// video alone.
///
/// If the platform also pauses music, the music does not continue.
public final class SwitchIfWasPlaying: Controller {
    override func didEnterBackground() {
        guard isUsable, wasPlaying, player.currentItem?.hasVideo != false, hasSound else { return }
        isSwitched = true
        beginTask()
        goOver(to: .sound, playing: true)
    }
}
