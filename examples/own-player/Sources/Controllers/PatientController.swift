import SeguePlayer

/// A controller that plays a new item only when it is ready, switches the whole queue, and retries after an item is
/// rejected.
public class PatientController: Controller {
    private static let mostRecoveries = 3
    private var recoveries = 0

    override func willResignActive() { recoveries = 0 }

    override func switchItem(to rendition: Title.Rendition, playing: Bool) {
        playsWhenReady = playing
        // With the rate kept, the new item would start immediately.
        player.pause()
        replaceCurrentItem(with: rendition)
    }

    override func replaceCurrentItem(with rendition: Title.Rendition) {
        super.replaceCurrentItem(with: rendition)
        replaceTheRest(with: rendition)
    }

    /// Switches the waiting items to another rendition, since video could not start in the background.
    func replaceTheRest(with rendition: Title.Rendition) {
        for former in player.items.dropFirst() where self.rendition(of: former) != rendition {
            guard let url = address(of: former, as: rendition) else { continue }
            player.insert(PlayerItem(url: url), after: former)
            player.remove(former)
        }
    }

    override func hasFailed(_ item: PlayerItem) {
        guard item === player.currentItem, item.isRejected, isAway, isWished, hasAudio,
            recoveries < Self.mostRecoveries
        else { return super.hasFailed(item) }
        recoveries += 1
        isSwitched = true
        switchItem(to: .audio, playing: true)
    }
}
