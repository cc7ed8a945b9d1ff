import SeguePlayer

/// Goes over to the sound alone when it was playing in willResignActive, whatever `rate` is by now; leaves alone what has no
/// pictures.
///
/// Where the platform pauses music as well, it does not go on.
public final class SwitchIfWasPlaying: Controller {
    override func didEnterBackground() {
        guard isUsable, wasPlaying, player.currentItem?.hasVideo != false, hasSound else { return }
        isSwitched = true
        goOver(to: .sound, playing: true)
    }
}
