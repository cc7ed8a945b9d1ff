import SeguePlayer

/// Has one state for the user's intention and for the buffer: buffering remains the state when the user pauses, and
/// leads to playback.
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
