internal import SegueBase
internal import SegueEvents

/// The playhead of the current item, and the record of what it played.
struct Playhead: Sendable {
    /// A running playhead.
    struct Clock: Sendable {
        let position: Duration
        let instant: Instant
        let rate: Double

        /// The position from which the open entry of the access log counts.
        var watchedFrom: Duration

        init(position: Duration, instant: Instant, rate: Double) {
            (self.position, self.instant, self.rate) = (position, instant, rate)
            watchedFrom = position
        }

        func position(at now: Instant) -> Duration {
            position + Duration(reckonedNanoseconds: (Double((now - instant).wholeNanoseconds) * rate).rounded())
        }

        func instant(of target: Duration) -> Instant {
            instant + Duration(reckonedNanoseconds: (Double((target - position).wholeNanoseconds) / rate).rounded(.up))
        }
    }

    /// The running playhead; nil while it stands.
    private(set) var clock: Clock?

    /// The record of playback.
    private(set) var trail = AudioTrail()

    /// True if the platform silences the output.
    var isSilenced = false

    func position(in item: PlayerItem, at now: Instant) -> Duration {
        guard let clock else { return item.position }
        return min(clock.position(at: now), item.bufferedEnd)
    }

    /// Starts it in an item.
    ///
    /// - Parameters:
    ///   - rate: The multiple of normal speed.
    ///   - wishedAt: The instant of the play command.
    mutating func start(in item: inout PlayerItem, rate: Double, wishedAt: Instant?, _ context: inout StepContext) {
        clock = Clock(position: item.position, instant: context.now, rate: rate)
        item.beginPlaying()
        let gaps = item.client.gaps(at: item.position)
        let hasVideo = item.playsVideo && !gaps.ofVideo
        trail.begin(
            AudioTrail.Output(
                item: item.id,
                url: item.url,
                hasAudio: item.tracks?.hasAudio ?? false,
                isGap: gaps.ofAudio,
                isShown: hasVideo,
                isSilenced: isSilenced,
                rate: rate
            ),
            position: item.position,
            at: context.now
        )
        item.media.notePlaying(startup: wishedAt.map { context.now - $0 }, at: context.now)
        if trail.isHeard {
            context.log(.soundBegan(item: item.id.description, position: item.position.seconds))
        }
        if hasVideo { context.log(.pictureBegan(item: item.id.description, position: item.position.seconds)) }
    }

    /// Handles video that begins or ends, gaps of the playlist, and silence of the output, while it runs.
    mutating func followTracks(of item: PlayerItem, _ context: inout StepContext) {
        guard let clock else { return }
        // The clock has moved the item to the present position.
        let gaps = item.client.gaps(at: item.position)
        let isShown = item.playsVideo && !gaps.ofVideo
        let isSilenceNew = trail.isSilenced != isSilenced
        guard trail.isShown != isShown || trail.isGap != gaps.ofAudio || isSilenceNew else { return }
        let position = min(clock.position(at: context.now), item.bufferedEnd)
        let name = item.id.description
        let wasHeard = trail.isHeard
        let isOfGap = trail.isGap != gaps.ofAudio || gaps.ofVideo && item.playsVideo
        let reason = isSilenceNew ? "silenced" : isOfGap ? "gap" : "pictures"
        if trail.isShown != isShown {
            context.log(
                isShown
                    ? .pictureBegan(item: name, position: position.seconds)
                    : .pictureEnded(item: name, position: position.seconds, reason: reason)
            )
        }
        trail.change(
            isGap: gaps.ofAudio,
            isShown: isShown,
            isSilenced: isSilenced,
            position: position,
            at: context.now,
            reason: reason
        )
        guard trail.isHeard != wasHeard else { return }
        context.log(
            wasHeard
                ? .soundEnded(item: name, position: position.seconds, reason: reason)
                : .soundBegan(item: name, position: position.seconds)
        )
    }

    /// Updates the access log of an item up to an instant.
    mutating func noteWatched(in item: inout PlayerItem, at now: Instant) {
        guard let clock else { return }
        let position = position(in: item, at: now)
        item.media.noteWatched(position - clock.watchedFrom, at: now)
        self.clock?.watchedFrom = position
    }

    /// Stops it at an instant, now or earlier.
    mutating func stop(in item: inout PlayerItem, at instant: Instant, reason: String, _ context: inout StepContext) {
        guard let clock else { return }
        let position = max(item.position, min(clock.position(at: instant), item.bufferedEnd))
        item.position = position
        self.clock = nil
        item.media.noteWatched(position - clock.watchedFrom, at: instant)
        if trail.isHeard {
            context.log(.soundEnded(item: item.id.description, position: position.seconds, reason: reason))
        }
        if trail.isShown {
            context.log(.pictureEnded(item: item.id.description, position: position.seconds, reason: reason))
        }
        trail.end(position: position, at: instant, reason: reason)
    }
}
