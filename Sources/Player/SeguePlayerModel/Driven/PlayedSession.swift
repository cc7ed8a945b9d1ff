package import SegueBase
internal import SegueEvents

/// A session of the model or of a real player.
package enum PlayedSession: Sendable {
    case model(PlaybackSession)
    /// A real player, according to its driver.
    case driven(DrivenSession)

    /// Whether the queue has played to its end, or nothing can play.
    package var isFinished: Bool {
        switch self {
        case .model(let session): session.isFinished
        case .driven(let session): session.isFinished
        }
    }

    package var isFailed: Bool {
        switch self {
        case .model(let session): session.isFailed
        case .driven(let session): session.isFailed
        }
    }

    package var isUnavailable: Bool {
        switch self {
        case .model(let session): session.isUnavailable
        case .driven: false
        }
    }

    /// Whether the app is in the background, with no phase pending.
    package var isInBackground: Bool {
        switch self {
        case .model(let session): session.isInBackground
        case .driven(let session): session.isInBackground
        }
    }

    /// Whether the app is on the screen, with no phase pending.
    package var isInForeground: Bool {
        switch self {
        case .model(let session): session.isInForeground
        case .driven(let session): session.isInForeground
        }
    }

    /// The duration of the current item; nil until it is known.
    package var duration: Duration? {
        switch self {
        case .model(let session): session.duration
        case .driven(let session): session.duration
        }
    }

    /// Whether the current item has audio; nil until it is known.
    package var hasSound: Bool? {
        switch self {
        case .model(let session): session.player.current?.tracks?.hasAudio
        case .driven(let session): session.hasSound
        }
    }

    /// The items in the queue, the current one first.
    package var queue: [ItemID] {
        switch self {
        case .model(let session): session.player.items.map(\.id)
        case .driven(let session): session.queue
        }
    }

    /// The item that left the queue last.
    package var lastRemoved: ItemID? {
        switch self {
        case .model(let session): session.player.removed.last?.id
        case .driven(let session): session.lastRemoved
        }
    }

    /// The duration of media heard.
    package func heard(at now: Instant) -> Duration { trail.heard(at: now) }

    /// The duration of media played, with or without audio.
    package func played(at now: Instant) -> Duration { trail.played(at: now) }

    /// Returns the instant at which that much will have been heard if nothing changes; nil if it will not.
    package func instant(whenHeard target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenHeard: target, at: now)
    }

    /// Returns the instant at which that much will have been played if nothing changes; nil if it will not.
    package func instant(whenPlayed target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenPlayed: target, at: now)
    }

    /// Returns the instant at which the playhead reaches a position of the current item if nothing changes; nil if it
    /// does not move.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        switch self {
        case .model(let session): session.instant(whenAt: target, at: now)
        case .driven(let session): session.instant(whenAt: target, at: now)
        }
    }

    /// The maximum time until the effect of a step appears; zero for the model.
    package var grace: Duration {
        switch self {
        case .model: .zero
        case .driven: DrivenSession.grace
        }
    }

    /// Whether a script continues after a step that missed its expectation.
    ///
    /// The model repeats its behavior in every run, while a real player may do the rest correctly.
    package var goesOnAfterMisses: Bool {
        switch self {
        case .model: false
        case .driven: true
        }
    }

    /// Describes the state, for a run that makes no progress.
    package func stateDescription(at now: Instant) -> String {
        switch self {
        case .model(let session): session.stateDescription(at: now)
        case .driven(let session): session.stateDescription(at: now)
        }
    }

    private var trail: AudioTrail {
        switch self {
        case .model(let session): session.player.trail
        case .driven(let session): session.trail
        }
    }

    // MARK: What conditions can name

    /// Returns the value of a number, if it is known.
    func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        switch self {
        case .model(let session): session.number(subject, at: now)
        case .driven(let session): session.number(subject, at: now)
        }
    }

    /// Returns the precision of a number.
    func precision(of subject: Condition.NumberSubject) -> Duration {
        switch self {
        case .model: .zero
        case .driven(let session): session.precision(of: subject)
        }
    }

    /// Whether drivers do not report a number.
    func cannotTell(_ subject: Condition.NumberSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    /// Whether drivers do not report a truth value.
    func cannotTell(_ subject: Condition.FlagSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    /// Whether no driver reports such events: entries of logs that only AVFoundation has.
    func cannotTell(_ match: EventMatch) -> Bool {
        if case .driven = self { match.kind == "error.logEntry" || match.kind == "access.logEntry" } else { false }
    }

    /// Whether the value of a word is specific to each player.
    func cannotTell(_ subject: Condition.WordSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    func word(_ subject: Condition.WordSubject) -> String {
        switch self {
        case .model(let session): session.word(subject)
        case .driven(let session): session.word(subject)
        }
    }

    /// Returns a truth value; nil without an item.
    func flag(_ subject: Condition.FlagSubject) -> Bool? {
        switch self {
        case .model(let session): session.flag(subject)
        case .driven(let session): session.flag(subject)
        }
    }
}
