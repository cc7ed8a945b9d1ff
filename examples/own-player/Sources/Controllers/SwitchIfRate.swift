import SeguePlayer

/// Goes over to the sound alone when `rate` is not 0 in didEnterBackground, and plays at once.
///
/// Where the platform has paused a film by then, `rate` is 0 and nothing goes on.
public final class SwitchIfRate: Controller {
    override func didEnterBackground() {
        guard isUsable, player.rate != 0, hasSound else { return }
        isSwitched = true
        goOver(to: .sound, playing: true)
    }
}
