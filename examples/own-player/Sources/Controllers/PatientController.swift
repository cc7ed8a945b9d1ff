import SeguePlayer

/// A controller that plays a new item only once it is ready, goes over with all of the queue, and does not give up when an
/// item is rejected.
public class PatientController: Controller {
    private static let mostRecoveries = 3
    private var recoveries = 0

    override func willResignActive() { recoveries = 0 }

    override func goOver(to rendition: Title.Rendition, playing: Bool) {
        playsWhenReady = playing
        // Kept over the change, the rate would be a wish to play at once.
        player.pause()
        replaceCurrentItem(with: rendition)
    }

    override func replaceCurrentItem(with rendition: Title.Rendition) {
        super.replaceCurrentItem(with: rendition)
        replaceTheRest(with: rendition)
    }

    /// Goes over to another rendition of what waits in line: what has pictures could not begin in the background.
    func replaceTheRest(with rendition: Title.Rendition) {
        for former in player.items.dropFirst() where self.rendition(of: former) != rendition {
            guard let url = address(of: former, as: rendition) else { continue }
            player.insert(PlayerItem(url: url), after: former)
            player.remove(former)
        }
    }

    override func hasFailed(_ item: PlayerItem) {
        guard item === player.currentItem, item.isRejected, isAway, isWished, hasSound,
            recoveries < Self.mostRecoveries
        else { return super.hasFailed(item) }
        recoveries += 1
        isSwitched = true
        goOver(to: .sound, playing: true)
    }
}
