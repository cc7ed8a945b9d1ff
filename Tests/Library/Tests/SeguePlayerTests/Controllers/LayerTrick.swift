import SeguePlayer

/// An app of the days of the movie player: it takes the layer off the screen when it is left, and plays on in place, as the
/// policy `layer-trick` of `Harness/apps` does.
@MainActor final class LayerTrick {
    private let player: QueuePlayer
    private let device: Device
    private var observation: Observation?
    private var wasPlaying = false

    /// The app, with an address of an item.
    init(in world: World, url: String) {
        (player, device) = (world.player, world.device)
        observation = device.observe { [unowned self] in hear($0) }
        player.insert(PlayerItem(url: url))
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .willResignActive:
            wasPlaying = player.rate != 0
            device.setLayerAttached(false)
        case .didEnterBackground: if player.rate != 0 { player.play() }
        case .didBecomeActive:
            device.setLayerAttached(true)
            if wasPlaying, player.timeControlStatus == .paused { player.play() }
        default: break
        }
    }
}
