package import SegueBase
package import SegueEvents

/// A session that a scenario runs on: the model's, or one of a real player behind a driver.
package protocol SessionUnderTest: Sendable {
    /// True if the queue has played to its end, or nothing will be played.
    var isFinished: Bool { get }
    /// True if the current item failed.
    var isFailed: Bool { get }
    /// True if the app policy cannot run on the platform.
    var isUnavailable: Bool { get }
    /// True if the app is in the background, with no lifecycle step under way.
    var isInBackground: Bool { get }
    /// True if the app is on the screen, with no lifecycle step under way.
    var isInForeground: Bool { get }
    /// The duration of the current item; nil until known.
    var duration: Duration? { get }
    /// True if the current item has audio; nil until known.
    var hasAudio: Bool? { get }
    /// The items in the queue, the current one first.
    var queue: [ItemID] { get }
    /// The item that left the queue last.
    var lastRemoved: ItemID? { get }
    /// The record of when audio and video played.
    var trail: AudioTrail { get }
    /// The time until the effect of a command shows.
    var grace: Duration { get }
    /// True if a script continues after a step that failed its expectation.
    ///
    /// The model repeats its failure in every run. A real player may do the rest right.
    var continuesAfterMisses: Bool { get }

    /// The time at which the playhead reaches a position of the current item if nothing changes.
    ///
    /// Now for a position that it has passed; nil while it does not move.
    func instant(whenAt target: Duration, at now: Instant) -> Instant?
    /// The state of every part in one line, for a run without progress.
    func stateDescription(at now: Instant) -> Message

    /// The value of a number; nil where it is unknown.
    func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double?
    /// The error of a number.
    func precision(of subject: Condition.NumberSubject) -> Duration
    /// The value of a word.
    func word(_ subject: Condition.WordSubject) -> String
    /// The value of a flag; nil without an item.
    func flag(_ subject: Condition.FlagSubject) -> Bool?

    /// Returns whether the session does not report a number.
    func isUnreported(_ subject: Condition.NumberSubject) -> Bool
    /// Returns whether the session does not report a flag.
    func isUnreported(_ subject: Condition.FlagSubject) -> Bool
    /// Returns whether the session has words of its own for a subject.
    func isUnreported(_ subject: Condition.WordSubject) -> Bool
    /// Returns whether the session does not report events.
    func isUnreported(_ match: EventMatch) -> Bool
}

extension SessionUnderTest {
    /// The duration of the media that was heard.
    package func heard(at now: Instant) -> Duration { trail.heard(at: now) }

    /// The duration of the media that was played, with audio or without.
    package func played(at now: Instant) -> Duration { trail.played(at: now) }

    /// The time at which that much has been heard if nothing changes: now if it has been, nil if it will not be.
    package func instant(whenHeard target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenHeard: target, at: now)
    }

    /// The time at which that much has been played if nothing changes: now if it has been, nil if it will not be.
    package func instant(whenPlayed target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenPlayed: target, at: now)
    }
}
