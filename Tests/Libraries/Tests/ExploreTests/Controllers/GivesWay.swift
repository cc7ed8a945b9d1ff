import SeguePlayer

/// Lets go of all it has when a call comes, and begins again where it was when it is told to go on, and only then.
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
