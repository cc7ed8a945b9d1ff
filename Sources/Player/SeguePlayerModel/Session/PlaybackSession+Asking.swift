package import SegueBase

extension PlaybackSession {
    /// True if every item has played to its end or has left the queue, or nothing can play.
    package var isFinished: Bool { isUnavailable || hasPlayedAll }

    /// Returns the instant at which the playhead reaches a position of the current item if nothing changes; nil if it
    /// does not move.
    ///
    /// The result is valid until the next input.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        guard renditions.player.current != nil else { return nil }
        return renditions.player.position(at: now) >= target
            ? now : renditions.player.playhead.clock?.instant(of: target)
    }

    /// The phase of the app's life.
    package var phase: String { device.lifecycle.phase.rawValue }

    /// The names of all phases in `platform.lifecycle`.
    package static let phases = Lifecycle.Step.allCases.map(\.rawValue)

    /// The position of the playhead; zero without an item.
    package func position(at now: Instant) -> Duration { renditions.player.position(at: now) }

    /// The duration of the current item; nil until it is known.
    package var duration: Duration? { renditions.player.current?.duration }

    /// True if the current item has failed.
    package var isFailed: Bool { renditions.player.current?.isFailed ?? false }

    /// True if the app is on the screen, with no phase pending.
    package var isInForeground: Bool { device.lifecycle.isInForeground }

    /// True if the app is in the background, with no phase pending.
    package var isInBackground: Bool { device.lifecycle.isSettledInBackground }

    /// The audio output.
    package var route: AudioRoute { device.route }

    /// The settings of the app's audio session.
    package var audioSessionSettings: AudioSessionSettings { device.audioSession.settings }

    package var isAudioSessionActive: Bool { device.audioSession.isActive }

    /// True if another app plays audio.
    package var isOtherAudioPlaying: Bool { device.audioSession.other != nil }

    /// True if the app's audio session lowers the volume of another app's audio.
    package var isOtherAudioDucked: Bool { device.audioSession.isDucking }

    /// True if another app's audio prevents that of the app, which is in the background.
    package var isOtherAudioInFront: Bool { device.isOtherAudioInFront }

    /// Returns the reason for which the platform refuses settings of the audio session, if it does.
    package func refusal(of settings: AudioSessionSettings) -> DeclarationFault? {
        device.audioSession.refusal(of: settings)
    }

    /// True if the app's code is suspended.
    package var isSuspended: Bool { device.lifecycle.isSuspended }

    package var rendition: ItemRendition? { renditions.rendition }

    /// The rendition of an item; nil for an unknown one.
    package func rendition(of item: ItemID) -> ItemRendition? { renditions.sources.rendition(of: item) }

    /// The number of bytes received.
    package var bytes: Int { traffic.bytes }

    /// The access logs of all items, in the W3C extended log file format, with times in seconds.
    package func extendedAccessLog(at now: Instant) -> String { renditions.extendedAccessLog(at: now) }

    /// The access log and error log of an item that is or was in the queue; empty for an unknown one.
    package func journal(of item: ItemID, at now: Instant) -> ItemJournal { renditions.journal(of: item, at: now) }

    /// The error logs of all items, in the same format.
    package var extendedErrorLog: String { renditions.extendedErrorLog }

    /// Returns a number for the source of an item.
    ///
    /// Renditions of one source have the same number.
    package func sourceNumber(of item: ItemID) -> Int {
        renditions.sources.number(of: item)
    }

    /// Describes the state of every part in one line, for a run that makes no progress.
    package func stateDescription(at now: Instant) -> Message {
        var parts = renditions.stateDescription(at: now)
        parts.append("platform \(device.lifecycle.phase.rawValue)")
        if device.isServicePending { parts.append("media service asked") }
        parts.append("\(traffic.underway, of: "request") under way")
        return parts.joined(separator: "; ")
    }
}
