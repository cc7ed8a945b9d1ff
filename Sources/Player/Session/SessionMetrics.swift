package import Timeline

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

extension PlaybackSession {
    /// What the session was like until an instant that lies not before the last input.
    package func metrics(at now: Instant) -> SessionMetrics {
        let trail = player.trail
        let stalls = stallDurations(at: now)
        let first = trail.stretches.first?.began ?? trail.runningSince
        let switches = self.switches(at: now).filter { $0.change != .next }
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

    /// Every switch until an instant that lies not before the last input, as it was heard.
    package func switches(at now: Instant) -> [AudioTrail.Switch] {
        player.trail.switches(at: now) { before, after in
            sources.isSame(before, after)
        }
    }

    /// How long each stall took: until playing went on, until another item began, or until now.
    private func stallDurations(at now: Instant) -> [Duration] {
        let trail = player.trail
        let all = trail.stretches
        return all.indices.filter { all[$0].reason == "stall" }.map { index in
            let next = index + 1 < all.count ? all[index + 1].began : trail.runningSince ?? now
            return next - all[index].ended
        }
    }

    /// What became of the sound in the first stay in the background; nil without one.
    package func backgroundOutcome(at now: Instant) -> BackgroundOutcome? {
        if isUnavailable { return .unavailable }
        return stays.first?.outcome(of: player.trail, isPlaying: player.timeControl != .paused, at: now)
    }
}
