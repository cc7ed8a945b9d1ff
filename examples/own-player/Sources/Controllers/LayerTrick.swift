import SeguePlayer

/// Detaches the layer and continues in place, like apps with the movie player before iOS 4.2.
public final class LayerTrick: Controller {
    public override class var app: App { App(player: .movie) }

    override func willResignActive() { device.setLayerAttached(false) }

    override func didEnterBackground() {
        // The platform has paused the film; the value of `rate` now depends on the platform.
        if isUsable, player.rate != 0 { player.play() }
    }

    override func didBecomeActive() {
        device.setLayerAttached(true)
        super.didBecomeActive()
    }
}
