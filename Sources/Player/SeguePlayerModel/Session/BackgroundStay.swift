package import SegueBase

/// A stay of an app in the background.
package struct BackgroundStay: Sendable, Equatable {
    /// The time after entering the background within which audio must be heard again to count as continuing.
    package static let patienceForAudio = Duration.seconds(15)

    package let left: Instant

    /// True if there was an item at that time that had not failed.
    package let hadItem: Bool

    /// The instant of didEnterBackground.
    package internal(set) var entered: Instant?

    /// The instant of willEnterForeground.
    package private(set) var returned: Instant?

    /// True if the player was playing or waiting to play on return.
    package private(set) var wasPlayingAtReturn = false

    /// The items that failed during the stay.
    package private(set) var failures: [ItemID] = []

    /// True if the last item of the queue played to its end during the stay.
    package private(set) var playedToEnd = false

    init(left: Instant, hadItem: Bool) {
        self.left = left
        self.hadItem = hadItem
    }

    mutating func end(at now: Instant, isPlaying: Bool) {
        returned = now
        wasPlayingAtReturn = isPlaying
    }

    mutating func end(at now: Instant) { returned = returned ?? now }

    mutating func note(failureOf item: ItemID) { if returned == nil { failures.append(item) } }

    /// Handles the end of the app's process.
    mutating func noteTermination(at now: Instant) { if returned == nil { entered = entered ?? now } }

    /// Handles the end of the queue.
    mutating func noteEnd(wasPlayed: Bool) { if returned == nil, wasPlayed { playedToEnd = true } }

    /// Returns the outcome for audio; nil if the app did not enter the background, or had no item.
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
        let isInTime = first.from - entered <= BackgroundStay.patienceForAudio
        let playedOn = returned == nil ? isPlaying : wasPlayingAtReturn
        let isToTheEnd = playedToEnd || playedOn && end - last.to <= BackgroundStay.patienceForAudio
        return isInTime && isToTheEnd ? .continues : .paused
    }
}
