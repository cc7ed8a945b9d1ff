import SeguePlayer

/// Releases everything when a call comes, and restarts at its position only if it should resume.
final class GivesWay: Playlist {
    override func interruptionBegan() {
        super.interruptionBegan()
        guard item != nil, !hasEnded else { return }
        let place = place
        item = nil
        player.removeAllItems()
        target = place
    }
}
