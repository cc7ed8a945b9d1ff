internal import Packager
internal import Player
internal import Timeline

/// How far a scenario has come: says what is to be done next, from what the session is like.
struct ScenarioScript: Sendable, CustomStringConvertible {
    /// What a step has done at its beginning.
    enum Deed: Sendable, Equatable {
        case open(Rendition)
        case command(SessionCommand)
        case nothing
    }

    /// What is next.
    enum Move: Sendable, Equatable {
        /// A step begins, with its number from 1.
        case begin(Int, Scenario.Step, Deed)
        /// Nothing until something changes, or at the latest until an instant.
        case wait(until: Instant?)
        /// Every step is over.
        case done
    }

    /// The step under way.
    private struct Current: Sendable {
        let number: Int
        let step: Scenario.Step
        let began: Instant
        let heard: Duration
        let played: Duration
    }

    private let steps: [Scenario.Step]
    private var current: Current?

    init(_ scenario: Scenario) { steps = scenario.steps }

    /// The step under way, for a run that makes no progress.
    var description: String {
        current.map { "in step \($0.number), \($0.step)" } ?? "before the first step"
    }

    /// What is next; to be asked again after each move that begins a step, and after everything that happens.
    mutating func next(for session: PlaybackSession, at now: Instant) -> Move {
        if let current, case .wait(let instant) = wait(current, session, now) { return .wait(until: instant) }
        let number = (current?.number ?? 0) + 1
        guard number <= steps.count else { return .done }
        let step = steps[number - 1]
        current = Current(
            number: number,
            step: step,
            began: now,
            heard: session.heard(at: now),
            played: session.played(at: now)
        )
        return .begin(number, step, ScenarioScript.deed(of: step))
    }

    private static func deed(of step: Scenario.Step) -> Deed {
        switch step {
        case .open(let rendition): .open(rendition)
        case .play: .command(.play)
        case .pause: .command(.pause)
        case .seek(let target): .command(.seek(to: Duration(target), toleranceBefore: .zero, toleranceAfter: .zero))
        case .background: .command(.goHome)
        case .foreground: .command(.comeBack)
        case .hear, .stay: .nothing
        }
    }

    private enum Waiting {
        case over
        case wait(Instant?)
    }

    private func wait(_ current: Current, _ session: PlaybackSession, _ now: Instant) -> Waiting {
        switch current.step {
        case .open, .play, .pause, .seek: return .over
        case .background: return session.isInBackground || session.isUnavailable ? .over : .wait(nil)
        case .foreground: return session.isInForeground || session.isUnavailable ? .over : .wait(nil)
        case .stay(let seconds):
            let end = current.began + Duration(seconds)
            return now >= end || session.isFinished ? .over : .wait(end)
        case .hear(let seconds, let share):
            if session.isFinished || session.isFailed { return .over }
            return wait(current, until: length(seconds, share, of: session), session, now)
        }
    }

    /// How much is to be heard; nil for the rest of the item, or as long as the item's length is not known.
    private func length(_ seconds: Rational?, _ share: Rational?, of session: PlaybackSession) -> Duration? {
        let part = share.flatMap { share in session.duration.map { $0 * share.seconds } }
        if share != nil, part == nil { return nil }
        return [seconds.map { Duration($0) }, part].compactMap { $0 }.min()
    }

    /// Waits until so much has been heard, or played where the item has no sound.
    private func wait(
        _ current: Current,
        until length: Duration?,
        _ session: PlaybackSession,
        _ now: Instant
    ) -> Waiting {
        guard let length else { return .wait(nil) }
        let isSilent = session.player.current?.tracks?.hasAudio == false
        let instant =
            isSilent
            ? session.instant(whenPlayed: current.played + length, at: now)
            : session.instant(whenHeard: current.heard + length, at: now)
        return instant.map { $0 <= now } ?? false ? .over : .wait(instant)
    }
}
