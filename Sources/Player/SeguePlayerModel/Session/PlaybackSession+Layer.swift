internal import SegueBase
internal import SegueEvents

/// The app's video layer.
extension PlaybackSession {
    /// Disconnects the video layer, which ends the app on platforms where a playing item does not permit it.
    mutating func detachLayer(at now: Instant) {
        if device.layer == .attached, let current = renditions.player.current,
            renditions.player.timeControl == .playing, device.platform.playback.disconnectingLayer == .crashes,
            traits?.player != .moviePlayer
        {
            let reason = "its AVPlayerLayer was disconnected from the player while \(current.id) was playing"
            return terminate(cause: "crash", reason: reason, at: now)
        }
        device.detachLayer()
    }

    mutating func attachLayer(at now: Instant) {
        let skipped = device.attachLayer()
        if skipped > .zero { renditions.player.skip(skipped, reason: "the video layer was attached again", at: now) }
    }

    /// Ends the app's process.
    mutating func terminate(cause: String, reason: String, at now: Instant) {
        log(.appTerminated(cause: cause, reason: reason))
        device.lifecycle.terminate(at: now)
    }
}
