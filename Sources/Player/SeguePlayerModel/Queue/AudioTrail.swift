package import SegueBase

/// A record of playback: the ranges of items' timelines that were played, in order, with their instants.
package struct AudioTrail: Sendable {
    /// A stretch of uninterrupted playback.
    package struct Stretch: Sendable, Equatable {
        package let item: ItemID
        /// The URL of the item, which identifies the rendition.
        package let url: String
        /// True if the item has audio, and the platform does not silence it.
        package let hasAudio: Bool
        /// True if the playlist has a gap in place of audio.
        package let isGap: Bool
        /// True if video was played as well.
        package let isShown: Bool
        package let rate: Double
        /// The position of its start on the item's timeline.
        package let start: Duration
        /// The position of its end on the item's timeline.
        package let end: Duration
        /// The instant of its start.
        package let began: Instant
        package let ended: Instant
        /// The reason for its end; empty while it continues.
        package let reason: String

        package var isHeard: Bool { hasAudio && !isGap }

        /// The length of the stretch on the item's timeline.
        package var length: Duration { end - start }
    }

    /// The item and tracks that play.
    struct Output: Sendable {
        var item: ItemID
        var url: String
        var hasAudio: Bool
        var isGap = false
        var isShown = false
        /// True if the platform silences the output.
        var isSilenced = false
        var rate: Double

        var isPlayingAudio: Bool { hasAudio && !isSilenced }
    }

    private struct Running {
        let output: Output
        let start: Duration
        let began: Instant

        var isHeard: Bool { output.isPlayingAudio && !output.isGap }

        func instant(after length: Duration) -> Instant {
            began
                + max(
                    .zero,
                    Duration(reckonedNanoseconds: (Double(length.wholeNanoseconds) / output.rate).rounded(.up))
                )
        }
    }

    private var finished: [Stretch] = []
    private var running: Running?
    private var playedBefore = Duration.zero
    private var heardBefore = Duration.zero

    // MARK: Recording

    mutating func begin(_ output: Output, position: Duration, at now: Instant) {
        running = Running(output: output, start: position, began: now)
    }

    mutating func end(position: Duration, at now: Instant, reason: String) {
        guard let stretch = stretch(running, end: position, at: now, reason: reason) else { return }
        running = nil
        guard stretch.length > .zero else { return }
        finished.append(stretch)
        playedBefore += stretch.length
        if stretch.isHeard { heardBefore += stretch.length }
    }

    /// Begins or ends audio or video while the playhead continues.
    mutating func change(
        isGap: Bool = false,
        isShown: Bool,
        isSilenced: Bool = false,
        position: Duration,
        at now: Instant,
        reason: String
    ) {
        guard var output = running?.output else { return }
        end(position: position, at: now, reason: reason)
        (output.isGap, output.isShown, output.isSilenced) = (isGap, isShown, isSilenced)
        begin(output, position: position, at: now)
    }

    /// Returns the current stretch, cut at an instant, if there is one.
    func running(at now: Instant) -> Stretch? {
        guard let running, now > running.began else { return nil }
        return stretch(running, end: running.start + underway(at: now), at: now, reason: "")
    }

    private func stretch(_ running: Running?, end: Duration, at now: Instant, reason: String) -> Stretch? {
        running.map {
            Stretch(
                item: $0.output.item,
                url: $0.output.url,
                hasAudio: $0.output.isPlayingAudio,
                isGap: $0.output.isGap,
                isShown: $0.output.isShown,
                rate: $0.output.rate,
                start: $0.start,
                end: end,
                began: $0.began,
                ended: now,
                reason: reason
            )
        }
    }

    // MARK: Queries

    /// The completed stretches, in order.
    package var stretches: [Stretch] { finished }

    /// Returns the played length of the current stretch; zero without one.
    private func underway(at now: Instant) -> Duration {
        running.map {
            Duration(reckonedNanoseconds: (Double((now - $0.began).wholeNanoseconds) * $0.output.rate).rounded())
        } ?? .zero
    }

    /// Returns the duration of media heard up to an instant that is not before the last change.
    package func heard(at now: Instant) -> Duration {
        heardBefore + (running?.isHeard == true ? underway(at: now) : .zero)
    }

    /// Returns the duration of media played, with or without audio, up to an instant that is not before the last
    /// change.
    package func played(at now: Instant) -> Duration { playedBefore + underway(at: now) }

    /// True if audio is playing.
    package var isHeard: Bool { running?.isHeard == true }

    /// True if the playlist has a gap here in place of audio.
    package var isGap: Bool { running?.output.isGap == true }

    /// True if an item with audio is playing, even if silent in a gap.
    package var isPlayingAudio: Bool { running?.output.isPlayingAudio == true }

    /// True if the platform silences the output.
    var isSilenced: Bool { running?.output.isSilenced == true }

    /// Returns the instant at which an item with audio last played, up to an instant.
    package func lastAudioTime(at now: Instant) -> Instant? {
        isPlayingAudio ? now : finished.last(where: \.hasAudio)?.ended
    }

    /// True if video is playing.
    package var isShown: Bool { running?.output.isShown == true }

    /// True if audio or video is playing.
    package var isPlaying: Bool { running != nil }

    /// The start of the current stretch, if there is one.
    package var runningSince: Instant? { running?.began }

    /// Returns the instant at which that much will have been heard if nothing changes; nil if it will not.
    package func instant(whenHeard target: Duration, at now: Instant) -> Instant? {
        if heard(at: now) >= target { return now }
        guard let running, running.isHeard else { return nil }
        return running.instant(after: target - heardBefore)
    }

    /// Returns the instant at which that much will have been played if nothing changes; nil if it will not.
    package func instant(whenPlayed target: Duration, at now: Instant) -> Instant? {
        if played(at: now) >= target { return now }
        return running?.instant(after: target - playedBefore)
    }
}
