/// Waits until something is ready and goes there then, whichever title that is.
final class LandsTheOldSeek: Playlist {
    override func seek(to place: Duration) {
        hasEnded = false
        Task {
            while player.currentItem?.status != .readyToPlay { try await Task.sleep(for: .seconds(1)) }
            await player.seek(to: place)
        }
    }
}
