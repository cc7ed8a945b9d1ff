internal import SegueBase

/// The phases of an app's life.
package struct Lifecycle: Sendable {
    package enum Step: String, Sendable, CaseIterable {
        case willResignActive
        /// The suspension of media by the platform. The app is not notified.
        case mediaSuspended
        case didEnterBackground
        /// The app's code does not run until ``resumed``.
        case suspended
        case resumed
        case willEnterForeground
        case didBecomeActive
        case backgroundTaskExpired
        case locked
        case unlocked
        /// The app's process ended: apps do not run in the background, or it crashed, or it used too much memory.
        case terminated
        case interruptionBegan
        case interruptionEnded
        /// The interruption ended, and the app should resume playback.
        case interruptionEndedShouldResume = "interruptionEnded(shouldResume)"
        case routeChanged
        case mediaServicesReset

        /// True if the app is notified of the step.
        var isToldToApp: Bool {
            switch self {
            case .mediaSuspended, .suspended, .resumed, .locked, .unlocked, .terminated: false
            case .willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive, .backgroundTaskExpired,
                .interruptionBegan, .interruptionEnded, .interruptionEndedShouldResume, .routeChanged,
                .mediaServicesReset:
                true
            }
        }
    }

    private let profile: PlatformProfile.Lifecycle
    private let hasService: Bool
    private var agenda: [(at: Instant, step: Step)] = []
    private var enteredAt: Instant?
    /// True if the player was paused when the user left the app, and the app has not called `play` since.
    private var isSilent = false
    /// The number of background tasks that the app holds.
    private var tasks = 0

    /// True if the user left the app by locking the device.
    ///
    /// It resets when the app enters the foreground.
    private(set) var isLocked = false

    /// True if the platform's background rules apply to media.
    private(set) var isMediaInBackground = false

    /// True from didEnterBackground to willEnterForeground.
    var isInBackground: Bool { enteredAt != nil }

    /// True if the app's code is suspended.
    private(set) var isSuspended = false

    private(set) var phase = Step.didBecomeActive

    /// True if the process ends with the next step.
    private var isEnding = false

    /// True if the app's process has ended.
    var isTerminated: Bool { isEnding || phase == .terminated }

    /// The life of an app in the foreground.
    init(profile: PlatformProfile.Lifecycle, hasService: Bool) {
        self.profile = profile
        self.hasService = hasService
    }

    /// True if the app is on the screen or returning to it, with no steps pending.
    var isInForeground: Bool { phase == .didBecomeActive && agenda.isEmpty }

    /// True if the app is in the background, with no steps pending.
    var isSettledInBackground: Bool { phase != .didBecomeActive && agenda.isEmpty }

    // MARK: The user

    /// Handles the user leaving the app or locking the device, while its player is paused or not.
    mutating func leave(byLock: Bool, isPaused: Bool, at now: Instant) {
        guard isInForeground else { return }
        isLocked = byLock
        isSilent = isPaused
        agenda = byLock ? [(now, .locked)] : []
        agenda.append((now, .willResignActive))
        guard profile.runsInBackground else {
            if !byLock { agenda.append((now + profile.entersBackgroundAfter, .terminated)) }
            return
        }
        let suspension = (at: now + profile.suspendsMediaAfter, step: Step.mediaSuspended)
        let entrance = (at: now + profile.entersBackgroundAfter, step: Step.didEnterBackground)
        agenda += suspension.at <= entrance.at ? [suspension, entrance] : [entrance, suspension]
    }

    /// Handles the user's return, after any pending steps of leaving.
    mutating func comeBack(at now: Instant) {
        guard !isInForeground, !agenda.contains(where: { $0.step == .didBecomeActive }) else { return }
        let begin = max(now, agenda.last?.at ?? now)
        if isLocked { agenda.append((begin, .unlocked)) }
        if profile.runsInBackground, !isTerminated { agenda.append((begin, .willEnterForeground)) }
        agenda.append((begin + profile.becomesActiveAfter, .didBecomeActive))
    }

    // MARK: The app

    /// Begins a background task, and returns whether it was granted.
    ///
    /// All tasks share one time limit, which a new task does not renew. No task is granted after the limit, or to a
    /// suspended app.
    mutating func beginTask(at now: Instant, lastHeard: Instant?, isHeard: Bool) -> Bool {
        guard !isSuspended, timeEnd(lastHeard: lastHeard, isHeard: isHeard).map({ now < $0 }) ?? true else {
            return false
        }
        tasks += 1
        return true
    }

    /// Ends a background task, if the app holds any.
    mutating func endTask() { tasks = max(0, tasks - 1) }

    /// Runs a suspended app again for a command from outside of it, and returns whether it runs.
    mutating func wake(at now: Instant) -> Bool {
        guard isSuspended, profile.wakesForRemoteCommands else { return false }
        resumeInBackground(at: now)
        return true
    }

    /// Ends the app's process.
    ///
    /// It starts again when the user returns.
    mutating func terminate(at now: Instant) {
        isEnding = true
        agenda = [(now, .terminated)]
    }

    /// Resumes a suspended app in the background and restarts its background time.
    mutating func resumeInBackground(at now: Instant) {
        (isSuspended, phase, enteredAt, isSilent) = (false, .resumed, now, false)
    }

    /// Handles a player that is to play.
    mutating func notePlayback() { isSilent = false }

    // MARK: Time

    /// Returns the instant of the next step.
    func nextChange(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        let ends = [
            silenceEnd(lastHeard: lastHeard, isHeard: isHeard), taskEnd(lastHeard: lastHeard, isHeard: isHeard),
        ]
        return (ends + [agenda.first?.at]).compactMap { $0 }.min()
    }

    /// Takes the next step that is due.
    mutating func step(at now: Instant, lastHeard: Instant?, isHeard: Bool) -> Step? {
        if let next = agenda.first, next.at <= now {
            if next.step == .willEnterForeground, isSuspended {
                isSuspended = false
                phase = .resumed
                return .resumed
            }
            agenda.removeFirst()
            switch next.step {
            case .mediaSuspended: isMediaInBackground = true
            case .didEnterBackground: enteredAt = now
            case .terminated:
                (enteredAt, tasks, isSuspended, isMediaInBackground, isEnding) = (nil, 0, false, false, false)
            case .didBecomeActive:
                isLocked = false
                enteredAt = nil
            case .willEnterForeground:
                isLocked = false
                isMediaInBackground = false
                enteredAt = nil
            case .willResignActive, .suspended, .resumed, .backgroundTaskExpired, .locked, .unlocked,
                .interruptionBegan, .interruptionEnded, .interruptionEndedShouldResume, .routeChanged,
                .mediaServicesReset:
                break
            }
            phase = next.step
            return next.step
        }
        if let end = taskEnd(lastHeard: lastHeard, isHeard: isHeard), end <= now {
            tasks = 0
            return .backgroundTaskExpired
        }
        if let end = silenceEnd(lastHeard: lastHeard, isHeard: isHeard), end <= now {
            isSuspended = true
            phase = .suspended
            return .suspended
        }
        return nil
    }

    /// The instant at which an app without audible media is suspended.
    private func silenceEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        guard let enteredAt, profile.runsInBackground, tasks == 0, !isSuspended else { return nil }
        let unserved = hasService ? nil : profile.suspendsWithoutServiceAfter.map { enteredAt + $0 }
        let grace = isSilent ? profile.suspendsSilentAppAfter : profile.suspendsAppAfter
        let silent = isHeard ? nil : grace.map { max(enteredAt, lastHeard ?? enteredAt) + $0 }
        return [unserved, silent].compactMap { $0 }.min()
    }

    /// The instant at which the app's background tasks expire.
    private func taskEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        tasks > 0 ? timeEnd(lastHeard: lastHeard, isHeard: isHeard) : nil
    }

    /// Returns the end of the app's time in the background, counted from when the app entered it or was last audible.
    private func timeEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        guard !isHeard, let enteredAt, let limit = profile.backgroundTaskLimit else { return nil }
        return max(enteredAt, lastHeard ?? enteredAt) + limit
    }
}
