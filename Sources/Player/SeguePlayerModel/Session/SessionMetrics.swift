package import SegueBase

/// The outcome for audio after the app went to the background.
package enum BackgroundOutcome: String, Sendable, CaseIterable {
    /// Audio was heard again within 15 s, and to the end of the stay or of the item.
    case continues
    /// Audio stopped, and no item failed.
    case paused
    case rejected
    /// The app policy cannot run on the platform.
    case unavailable
}

/// The quality of experience of a session.
package struct SessionMetrics: Sendable, Equatable {
    /// The time from the first play command to the first audio, or the first video of an item without audio.
    package let startup: Duration?
    /// The number of times that the buffer ran out during playback.
    package let stalls: Int
    /// The total duration of stalls.
    package let stalled: Duration
    package let longestStall: Duration
    /// The outcome of the first stay in the background.
    package let background: BackgroundOutcome?
    /// The longest silence at a switch between renditions.
    package let switchGap: Duration?
    /// The switches between renditions of an item, or between audio with video and audio alone.
    package let switches: [AudioTrail.Switch]
    /// The duration of media heard.
    package let heard: Duration
    /// The duration of media played, with or without audio.
    package let played: Duration
    package let bytes: Int
}

extension SessionMetrics {
    /// The duration of the source that was not heard at switches.
    package var skippedAtSwitches: Duration? { sumAtSwitches { max(.zero, $0) } }

    /// The duration of the source that was heard twice at switches.
    package var repeatedAtSwitches: Duration? { sumAtSwitches { max(.zero, .zero - $0) } }

    private func sumAtSwitches(_ part: (Duration) -> Duration) -> Duration? {
        switches.isEmpty ? nil : switches.map { part($0.after.start - $0.before.end) }.reduce(.zero, +)
    }
}

/// The data from which the metrics of a session are computed, played here or read from a log.
struct SessionRecord {
    var trail = AudioTrail()
    /// The instant of the first play command.
    var firstWish: Instant?
    /// The stays in the background, oldest first.
    var stays: [BackgroundStay] = []
    /// True if the app policy cannot run on the platform.
    var isUnavailable = false
    /// True if the player is playing or waiting to play.
    var isPlaying = false
    var bytes = 0

    /// Returns the metrics up to an instant that is not before the last input.
    func metrics(at now: Instant, switches: [AudioTrail.Switch]) -> SessionMetrics {
        let stalls = trail.stalls(at: now)
        let first = trail.stretches.first?.began ?? trail.runningSince
        let switches = switches.filter { $0.change != .next }
        return SessionMetrics(
            startup: firstWish.flatMap { wish in first.map { $0 - wish } },
            stalls: stalls.count,
            stalled: stalls.reduce(.zero, +),
            longestStall: stalls.max() ?? .zero,
            background: backgroundOutcome(at: now),
            switchGap: switches.map(\.silence).max(),
            switches: switches,
            heard: trail.heard(at: now),
            played: trail.played(at: now),
            bytes: bytes
        )
    }

    /// The outcome for audio in the first stay in the background.
    func backgroundOutcome(at now: Instant) -> BackgroundOutcome? {
        if isUnavailable { return .unavailable }
        return stays.first?.outcome(of: trail, isPlaying: isPlaying, at: now)
    }
}

extension AudioTrail {
    /// The duration of each stall: until playback resumed, until another item began, or until now.
    fileprivate func stalls(at now: Instant) -> [Duration] {
        let all = stretches
        return all.indices.filter { all[$0].reason == "stall" }.map { index in
            let next = index + 1 < all.count ? all[index + 1].began : runningSince ?? now
            return next - all[index].ended
        }
    }
}

extension PlaybackSession {
    private var record: SessionRecord {
        SessionRecord(
            trail: renditions.player.trail,
            firstWish: firstWish,
            stays: stays,
            isUnavailable: isUnavailable,
            isPlaying: renditions.player.timeControl != .paused,
            bytes: bytes
        )
    }

    /// Returns the metrics up to an instant that is not before the last input.
    package func metrics(at now: Instant) -> SessionMetrics { record.metrics(at: now, switches: switches(at: now)) }

    /// Returns the switches, as heard, up to an instant that is not before the last input.
    package func switches(at now: Instant) -> [AudioTrail.Switch] {
        renditions.player.trail.switches(at: now) { before, after in
            renditions.sources.isSame(before, after)
        }
    }

    /// The outcome for audio in the first stay in the background.
    package func backgroundOutcome(at now: Instant) -> BackgroundOutcome? { record.backgroundOutcome(at: now) }
}
