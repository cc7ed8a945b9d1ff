import SeguePlayer

/// Has one state for what the user wishes and for what the buffer does: buffering goes on being the state when its user
/// pauses, and ends in playing.
final class BufferingOverwritesThePause: Playlist {
    private var isBuffering = false
    private var watch: KeepUpWatch?

    override init(_ world: World, _ urls: [String]) {
        super.init(world, urls)
        watch = KeepUpWatch(player) { [weak self] in self?.isLikelyToKeepUp() }
    }

    override func changed() {
        super.changed()
        if status != .paused { isBuffering = status == .waitingToPlayAtSpecifiedRate }
    }

    private func isLikelyToKeepUp() {
        guard isBuffering else { return }
        isBuffering = false
        play()
    }
}
