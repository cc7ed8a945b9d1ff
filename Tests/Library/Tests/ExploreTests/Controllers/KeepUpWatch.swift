import SeguePlayer

/// Tells when the current item becomes likely to keep up, of which the player itself tells nothing.
@MainActor final class KeepUpWatch {
    private let player: QueuePlayer
    private let tell: @MainActor () -> Void
    private var wasLikely = false

    init(_ player: QueuePlayer, _ tell: @escaping @MainActor () -> Void) {
        (self.player, self.tell) = (player, tell)
        Task { [weak self] in
            while let watch = self {
                watch.look()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func look() {
        let isLikely = player.currentItem?.isPlaybackLikelyToKeepUp ?? false
        defer { wasLikely = isLikely }
        if isLikely, !wasLikely { tell() }
    }
}
