package import SegueBase
internal import SegueEvents

/// What plays: the model, or a player that others made.
package enum PlayedSession: Sendable {
    /// The model.
    case model(PlaybackSession)
    /// A real player, as its driver tells of it.
    case driven(DrivenSession)

    /// Whether the queue has played to its end, or nothing will be played.
    package var isFinished: Bool {
        switch self {
        case .model(let session): session.isFinished
        case .driven(let session): session.isFinished
        }
    }

    /// Whether the current item failed.
    package var isFailed: Bool {
        switch self {
        case .model(let session): session.isFailed
        case .driven(let session): session.isFailed
        }
    }

    /// Whether the app policy cannot run.
    package var isUnavailable: Bool {
        switch self {
        case .model(let session): session.isUnavailable
        case .driven: false
        }
    }

    /// Whether the app is in the background, with no phase of its life under way.
    package var isInBackground: Bool {
        switch self {
        case .model(let session): session.isInBackground
        case .driven(let session): session.isInBackground
        }
    }

    /// Whether the app is on the screen, with no phase of its life under way.
    package var isInForeground: Bool {
        switch self {
        case .model(let session): session.isInForeground
        case .driven(let session): session.isInForeground
        }
    }

    /// How long the current item is; nil until known.
    package var duration: Duration? {
        switch self {
        case .model(let session): session.duration
        case .driven(let session): session.duration
        }
    }

    /// Whether the current item has sound; nil until known.
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

    /// How much media was heard.
    package func heard(at now: Instant) -> Duration { trail.heard(at: now) }

    /// How much media was played, with sound or without.
    package func played(at now: Instant) -> Duration { trail.played(at: now) }

    /// When that much will have been heard if nothing changes: now when it has been already, nil when it will not be.
    package func instant(whenHeard target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenHeard: target, at: now)
    }

    /// When that much will have been played if nothing changes: now when it has been already, nil when it will not be.
    package func instant(whenPlayed target: Duration, at now: Instant) -> Instant? {
        trail.instant(whenPlayed: target, at: now)
    }

    /// When the playhead will be at a position of the current item if nothing changes: now when it is there or behind it
    /// already, nil when it does not move.
    package func instant(whenAt target: Duration, at now: Instant) -> Instant? {
        switch self {
        case .model(let session): session.instant(whenAt: target, at: now)
        case .driven(let session): session.instant(whenAt: target, at: now)
        }
    }

    /// How long what a step does may take to show, where it shows at once in the model.
    package var grace: Duration {
        switch self {
        case .model: .zero
        case .driven: DrivenSession.grace
        }
    }

    /// Whether a script goes on behind a step that did not find what it expected: what the model does, it does the same each
    /// time, and a real player may do the rest as it should.
    package var goesOnAfterMisses: Bool {
        switch self {
        case .model: false
        case .driven: true
        }
    }

    /// What goes on, for a run that makes no progress.
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

    /// The value of a number; nil where it is not known.
    func number(_ subject: Condition.NumberSubject, at now: Instant) -> Double? {
        switch self {
        case .model(let session): session.number(subject, at: now)
        case .driven(let session): session.number(subject, at: now)
        }
    }

    /// How far off the value of a number may be.
    func precision(of subject: Condition.NumberSubject) -> Duration {
        switch self {
        case .model: .zero
        case .driven(let session): session.precision(of: subject)
        }
    }

    /// Whether a number is one that a driver tells nothing of.
    func cannotTell(_ subject: Condition.NumberSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    /// Whether something is so, of which a driver tells nothing.
    func cannotTell(_ subject: Condition.FlagSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    /// Whether events are of a kind that no driver tells: entries of logs that only AVFoundation has.
    func cannotTell(_ match: EventMatch) -> Bool {
        if case .driven = self { match.kind == "error.logEntry" || match.kind == "access.logEntry" } else { false }
    }

    /// Whether a word is one that each player has of its own.
    func cannotTell(_ subject: Condition.WordSubject) -> Bool {
        guard case .driven(let session) = self else { return false }
        return session.cannotTell(subject)
    }

    /// A word.
    func word(_ subject: Condition.WordSubject) -> String {
        switch self {
        case .model(let session): session.word(subject)
        case .driven(let session): session.word(subject)
        }
    }

    /// Whether something is so; nil without an item.
    func flag(_ subject: Condition.FlagSubject) -> Bool? {
        switch self {
        case .model(let session): session.flag(subject)
        case .driven(let session): session.flag(subject)
        }
    }
}
