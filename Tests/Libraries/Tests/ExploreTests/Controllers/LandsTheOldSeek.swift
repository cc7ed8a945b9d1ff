/// Waits until an item is ready and seeks then, whichever title it is.
final class LandsTheOldSeek: Playlist {
    override func seek(to place: Duration) {
        hasEnded = false
        Task {
            while player.currentItem?.status != .readyToPlay { try await Task.sleep(for: .seconds(1)) }
            await player.seek(to: place)
        }
    }
}
