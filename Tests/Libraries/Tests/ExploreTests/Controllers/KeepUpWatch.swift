import SeguePlayer

/// Checks twice a second whether the current item is likely to keep up, for which the player has no notification.
@MainActor final class KeepUpWatch {
    private let player: QueuePlayer
    private let tell: @MainActor () -> Void

    init(_ player: QueuePlayer, _ tell: @escaping @MainActor () -> Void) {
        (self.player, self.tell) = (player, tell)
        Task { [weak self] in
            while let watch = self {
                if watch.player.currentItem?.isPlaybackLikelyToKeepUp == true { watch.tell() }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
