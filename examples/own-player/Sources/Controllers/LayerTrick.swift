import SeguePlayer

/// Takes the layer off the screen, and plays on in place: an app of the days of the movie player, before iOS 4.2.
public final class LayerTrick: Controller {
    public override class var app: App { App(player: .movie) }

    override func willResignActive() { device.setLayerAttached(false) }

    override func didEnterBackground() {
        // The platform has paused the film; whether it reads a rate of 0 then depends on the platform.
        if isUsable, player.rate != 0 { player.play() }
    }

    override func didBecomeActive() {
        device.setLayerAttached(true)
        super.didBecomeActive()
    }
}
