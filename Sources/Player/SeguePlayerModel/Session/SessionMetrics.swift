package import SegueBase

/// What became of the sound after the app went to the background.
package enum BackgroundOutcome: String, Sendable, CaseIterable {
    /// Heard again within 15 s, and to the end of the stay or of the item.
    case continues
    /// Not heard any more, and no item failed.
    case paused
    /// An item failed.
    case rejected
    /// The app policy cannot run on the platform.
    case unavailable
}

/// What a session was like for who listened to it.
package struct SessionMetrics: Sendable, Equatable {
    /// From the first wish to play until the first sound, or the first picture of an item without sound; nil when
    /// neither came.
    package let startup: Duration?
    /// How often the buffer ran out while playing.
    package let stalls: Int
    /// How long playback stood still for that.
    package let stalled: Duration
    /// The longest of these.
    package let longestStall: Duration
    /// The outcome of the first stay in the background; nil without one.
    package let background: BackgroundOutcome?
    /// The longest silence at a switch from one rendition to another; nil where there was no switch.
    package let switchGap: Duration?
    /// The switches from one rendition of an item to another, or from sound with pictures to sound alone and back.
    package let switches: [AudioTrail.Switch]
    /// How much media was heard.
    package let heard: Duration
    /// How much media was played, with sound or without.
    package let played: Duration
    /// Bytes that came.
    package let bytes: Int
}

extension SessionMetrics {
    /// How much of the source was not heard at switches; nil where there was no switch.
    package var skippedAtSwitches: Duration? { sumAtSwitches { max(.zero, $0) } }

    /// How much of the source was heard twice at switches; nil where there was no switch.
    package var repeatedAtSwitches: Duration? { sumAtSwitches { max(.zero, .zero - $0) } }

    private func sumAtSwitches(_ part: (Duration) -> Duration) -> Duration? {
        switches.isEmpty ? nil : switches.map { part($0.after.start - $0.before.end) }.reduce(.zero, +)
    }
}

/// What a session's metrics are reckoned from, whether it was played here or a log tells of it.
struct SessionRecord {
    /// What was played when.
    var trail = AudioTrail()
    /// When playing was first wished for; nil when it never was.
    var firstWish: Instant?
    /// The stays in the background, oldest first.
    var stays: [BackgroundStay] = []
    /// Whether the app policy cannot run on the platform.
    var isUnavailable = false
    /// Whether the player plays now, or waits to.
    var isPlaying = false
    /// Bytes that came.
    var bytes = 0

    /// What the session was like until an instant that lies not before the last input.
    ///
    /// - Parameters:
    ///   - now: The instant.
    ///   - switches: Every switch until then.
    /// - Returns: What it was like.
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

    /// What became of the sound in the first stay in the background; nil without one.
    func backgroundOutcome(at now: Instant) -> BackgroundOutcome? {
        if isUnavailable { return .unavailable }
        return stays.first?.outcome(of: trail, isPlaying: isPlaying, at: now)
    }
}

extension AudioTrail {
    /// How long each stall took: until playing went on, until another item began, or until now.
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
            trail: player.trail,
            firstWish: firstWish,
            stays: stays,
            isUnavailable: isUnavailable,
            isPlaying: player.timeControl != .paused,
            bytes: bytes
        )
    }

    /// What the session was like until an instant that lies not before the last input.
    package func metrics(at now: Instant) -> SessionMetrics { record.metrics(at: now, switches: switches(at: now)) }

    /// Every switch until an instant that lies not before the last input, as it was heard.
    package func switches(at now: Instant) -> [AudioTrail.Switch] {
        player.trail.switches(at: now) { before, after in
            sources.isSame(before, after)
        }
    }

    /// What became of the sound in the first stay in the background; nil without one.
    package func backgroundOutcome(at now: Instant) -> BackgroundOutcome? { record.backgroundOutcome(at: now) }
}
