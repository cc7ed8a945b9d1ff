/// Plays after every seek, even if it was paused before.
final class PlaysAfterASeek: Playlist {
    override func go() {
        guard let item, let target else { return }
        Task {
            guard item === self.item, item.status == .readyToPlay, target == self.target else { return }
            guard await player.seek(to: target), item === self.item, target == self.target else { return }
            self.target = nil
            play()
        }
    }
}
