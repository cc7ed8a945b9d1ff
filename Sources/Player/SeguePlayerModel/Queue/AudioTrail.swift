package import SegueBase

/// What was played when: the ranges of items' timelines that came out, in order, with the instants at which they did.
package struct AudioTrail: Sendable {
    /// A stretch that was played without a break.
    package struct Stretch: Sendable, Equatable {
        /// The item.
        package let item: ItemID
        /// The item's URL, which tells the rendition.
        package let url: String
        /// Whether the item has sound.
        package let hasSound: Bool
        /// Whether the playlist has a gap there in place of sound.
        package let isGap: Bool
        /// Whether its pictures were played too: whether the item has video that is not switched off.
        package let isShown: Bool
        /// How fast it was played.
        package let rate: Double
        /// Where on the item's timeline it begins.
        package let start: Duration
        /// Where on the item's timeline it ends.
        package let end: Duration
        /// When it began.
        package let began: Instant
        /// When it ended.
        package let ended: Instant
        /// What ended it; empty while it goes on.
        package let reason: String

        /// Whether it was heard.
        package var isHeard: Bool { hasSound && !isGap }

        /// How much of the item it is.
        package var length: Duration { end - start }
    }

    private struct Running {
        let item: ItemID
        let url: String
        let hasSound: Bool
        let isGap: Bool
        let isShown: Bool
        let rate: Double
        let start: Duration
        let began: Instant

        var isHeard: Bool { hasSound && !isGap }

        func instant(after length: Duration) -> Instant {
            began + max(.zero, Duration(reckonedNanoseconds: (Double(length.wholeNanoseconds) / rate).rounded(.up)))
        }
    }

    private var finished: [Stretch] = []
    private var running: Running?
    private var playedBefore = Duration.zero
    private var heardBefore = Duration.zero

    // MARK: Recording

    mutating func begin(
        item: ItemID,
        url: String,
        hasSound: Bool,
        isGap: Bool = false,
        isShown: Bool = false,
        rate: Double,
        position: Duration,
        at now: Instant
    ) {
        running = Running(
            item: item,
            url: url,
            hasSound: hasSound,
            isGap: isGap,
            isShown: isShown,
            rate: rate,
            start: position,
            began: now
        )
    }

    mutating func end(position: Duration, at now: Instant, reason: String) {
        guard let stretch = stretch(running, end: position, at: now, reason: reason) else { return }
        running = nil
        guard stretch.length > .zero else { return }
        finished.append(stretch)
        playedBefore += stretch.length
        if stretch.isHeard { heardBefore += stretch.length }
    }

    /// Pictures or sound come or go, and the playhead goes on.
    mutating func change(isGap: Bool = false, isShown: Bool, position: Duration, at now: Instant, reason: String) {
        guard let running else { return }
        end(position: position, at: now, reason: reason)
        begin(
            item: running.item,
            url: running.url,
            hasSound: running.hasSound,
            isGap: isGap,
            isShown: isShown,
            rate: running.rate,
            position: position,
            at: now
        )
    }

    /// The stretch that goes on, cut at an instant; nil when none does.
    func running(at now: Instant) -> Stretch? {
        guard let running, now > running.began else { return nil }
        return stretch(running, end: running.start + underway(at: now), at: now, reason: "")
    }

    private func stretch(_ running: Running?, end: Duration, at now: Instant, reason: String) -> Stretch? {
        running.map {
            Stretch(
                item: $0.item,
                url: $0.url,
                hasSound: $0.hasSound,
                isGap: $0.isGap,
                isShown: $0.isShown,
                rate: $0.rate,
                start: $0.start,
                end: end,
                began: $0.began,
                ended: now,
                reason: reason
            )
        }
    }

    // MARK: Asking

    /// The stretches that are over, in order.
    package var stretches: [Stretch] { finished }

    /// How much of the stretch that goes on has come out; zero when none does.
    private func underway(at now: Instant) -> Duration {
        running.map {
            Duration(reckonedNanoseconds: (Double((now - $0.began).wholeNanoseconds) * $0.rate).rounded())
        } ?? .zero
    }

    /// How much media was heard until an instant that lies not before the last change.
    package func heard(at now: Instant) -> Duration {
        heardBefore + (running?.isHeard == true ? underway(at: now) : .zero)
    }

    /// How much media was played, with sound or without, until an instant that lies not before the last change.
    package func played(at now: Instant) -> Duration { playedBefore + underway(at: now) }

    /// Whether sound comes out.
    package var isHeard: Bool { running?.isHeard == true }

    /// Whether the playlist has a gap here in place of sound.
    package var isGap: Bool { running?.isGap == true }

    /// Whether an item with sound plays, though a gap may be silent.
    package var isSounding: Bool { running?.hasSound == true }

    /// When an item with sound last played, until an instant; nil when none did.
    package func lastSounding(at now: Instant) -> Instant? {
        isSounding ? now : finished.last(where: \.hasSound)?.ended
    }

    /// Whether pictures are played.
    package var isShown: Bool { running?.isShown == true }

    /// Whether anything comes out.
    package var isPlaying: Bool { running != nil }

    /// When the stretch began that goes on; nil when none does.
    package var runningSince: Instant? { running?.began }

    /// When that much will have been heard if nothing changes: now when it has been already, nil when it will not be.
    package func instant(whenHeard target: Duration, at now: Instant) -> Instant? {
        if heard(at: now) >= target { return now }
        guard let running, running.isHeard else { return nil }
        return running.instant(after: target - heardBefore)
    }

    /// When that much will have been played if nothing changes: now when it has been already, nil when it will not be.
    package func instant(whenPlayed target: Duration, at now: Instant) -> Instant? {
        if played(at: now) >= target { return now }
        return running?.instant(after: target - playedBefore)
    }
}
