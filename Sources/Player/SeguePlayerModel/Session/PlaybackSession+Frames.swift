internal import SegueBase
internal import SegueEvents

/// The frames that the video layer queues in the background, and the notification of a movie player's media types.
extension PlaybackSession {
    /// Queues the frames that the layer renders in the background, and returns whether anything changed.
    mutating func followFrames(at now: Instant) -> Bool {
        let isRendered = device.lifecycle.isMediaInBackground && device.layer == .attached
        let shown = isRendered && renditions.player.trail.isShown ? renditions.player.stage?.id : nil
        device.frames.queue(shown, at: now)
        switch device.frames.news(at: now) {
        case nil: return false
        case .grew(let count):
            if let shown { log(.pictureQueued(item: shown.description, frames: count)) }
        case .isFull(let count):
            let reason = "its video layer queued \(count) frames in the background, which is the limit"
            _ = device.frames.drain(at: now)
            terminate(cause: "memory", reason: reason, at: now)
        }
        return true
    }

    /// Shows the frames that were queued in the background.
    mutating func hurryFrames(at now: Instant) {
        guard let (item, count) = device.frames.drain(at: now) else { return }
        let speed = device.platform.background.frames.speed
        log(.pictureHurried(item: item.description, frames: count, speed: speed))
    }

    /// Announces the types of media of a movie player's item once, when they are known.
    mutating func announceMediaTypes() {
        guard traits?.player == .moviePlayer, let current = renditions.player.current, let tracks = current.tracks,
            device.announcedTypes != current.id
        else { return }
        device.announcedTypes = current.id
        log(
            .itemMediaTypesAvailable(
                item: current.id.description,
                hasVideo: tracks.hasVideo,
                hasAudio: tracks.hasAudio
            )
        )
    }
}
