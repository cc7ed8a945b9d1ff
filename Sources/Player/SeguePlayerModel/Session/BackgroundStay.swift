package import SegueBase

/// A stay of an app in the background.
package struct BackgroundStay: Sendable, Equatable {
    /// How long after entering the background sound must be heard again to count as going on.
    package static let patienceForSound = Duration.seconds(15)

    /// When the app resigned active.
    package let left: Instant

    /// Whether there was an item then that had not failed.
    package let hadItem: Bool

    /// When it entered the background; nil before.
    package internal(set) var entered: Instant?

    /// When it was about to enter the foreground again; nil before.
    package private(set) var returned: Instant?

    /// Whether the player played, or waited to, when it returned.
    package private(set) var wasPlayingAtReturn = false

    /// The items that failed during it.
    package private(set) var failures: [ItemID] = []

    /// Whether the queue's last item played to its end during it.
    package private(set) var playedToEnd = false

    init(left: Instant, hadItem: Bool) {
        self.left = left
        self.hadItem = hadItem
    }

    /// The app is about to enter the foreground.
    mutating func end(at now: Instant, isPlaying: Bool) {
        returned = now
        wasPlayingAtReturn = isPlaying
    }

    /// The app is active again.
    mutating func end(at now: Instant) { returned = returned ?? now }

    /// An item failed.
    mutating func note(failureOf item: ItemID) { if returned == nil { failures.append(item) } }

    /// The queue has come to its end.
    mutating func noteEnd(wasPlayed: Bool) { if returned == nil, wasPlayed { playedToEnd = true } }

    /// What became of the sound; nil where the app did not enter the background, or had no item.
    ///
    /// - Parameters:
    ///   - trail: What was heard.
    ///   - isPlaying: Whether the player plays now, or waits to.
    ///   - now: An instant that lies not before the last input.
    /// - Returns: The outcome.
    func outcome(of trail: AudioTrail, isPlaying: Bool, at now: Instant) -> BackgroundOutcome? {
        guard let entered, hadItem else { return nil }
        guard failures.isEmpty else { return .rejected }
        let end = returned ?? now
        var heard = trail.stretches.filter { $0.isHeard && $0.ended > entered && $0.began < end }
            .map { (from: max($0.began, entered), to: min($0.ended, end)) }
        if trail.isHeard, let since = trail.runningSince, since < end {
            heard.append((max(since, entered), end))
        }
        guard let first = heard.first, let last = heard.last else { return playedToEnd ? .continues : .paused }
        let isInTime = first.from - entered <= BackgroundStay.patienceForSound
        let playedOn = returned == nil ? isPlaying : wasPlayingAtReturn
        let isToTheEnd = playedToEnd || playedOn && end - last.to <= BackgroundStay.patienceForSound
        return isInTime && isToTheEnd ? .continues : .paused
    }
}
