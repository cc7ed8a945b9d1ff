/// Plays whenever a seek has landed, where it was paused before as well.
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
