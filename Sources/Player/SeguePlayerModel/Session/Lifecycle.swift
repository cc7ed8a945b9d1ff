internal import SegueBase

/// The phases of an app's life, as the platform goes through them.
package struct Lifecycle: Sendable {
    /// A step that the platform takes.
    package enum Step: String, Sendable, CaseIterable {
        case willResignActive
        /// The platform's own pausing of media; the app is not told.
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
        /// The platform ended the app, since none runs there unseen.
        case terminated
        case interruptionBegan
        case interruptionEnded
        /// It ended, and the app should go on playing.
        case interruptionEndedShouldResume = "interruptionEnded(shouldResume)"
        case routeChanged
        case mediaServicesReset

        /// Whether the app's code is told of it.
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
    /// How many background tasks the app holds.
    private var tasks = 0

    /// Whether the app was left by locking the device, not by going home, until it enters the foreground.
    private(set) var isLocked = false

    /// Whether the platform's rules for the background hold for media.
    private(set) var isMediaInBackground = false

    /// Whether the app's code does not run.
    private(set) var isSuspended = false

    /// The last step.
    private(set) var phase = Step.didBecomeActive

    /// The life of an app in the foreground.
    ///
    /// - Parameters:
    ///   - profile: What the platform does.
    ///   - hasService: Whether the app runs a foreground service while it plays unseen.
    init(profile: PlatformProfile.Lifecycle, hasService: Bool) {
        self.profile = profile
        self.hasService = hasService
    }

    /// Whether the app is on the screen, or on its way there, with nothing else to come.
    var isInForeground: Bool { phase == .didBecomeActive && agenda.isEmpty }

    /// Whether it is not on the screen, with nothing else to come.
    var isSettledInBackground: Bool { phase != .didBecomeActive && agenda.isEmpty }

    // MARK: The user

    /// The user leaves the app, or locks the device.
    mutating func leave(byLock: Bool, at now: Instant) {
        guard isInForeground else { return }
        isLocked = byLock
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

    /// The user comes back; after the steps of leaving, where these are not over.
    mutating func comeBack(at now: Instant) {
        guard !isInForeground, !agenda.contains(where: { $0.step == .didBecomeActive }) else { return }
        let begin = max(now, agenda.last?.at ?? now)
        if isLocked { agenda.append((begin, .unlocked)) }
        if profile.runsInBackground { agenda.append((begin, .willEnterForeground)) }
        agenda.append((begin + profile.becomesActiveAfter, .didBecomeActive))
    }

    // MARK: The app

    /// The app asks for one more background task; the time for all of them is the same, and is not renewed.
    ///
    /// - Returns: Whether it holds it; nothing is given once that time is over, or the app is suspended.
    mutating func beginTask(at now: Instant, lastHeard: Instant?, isHeard: Bool) -> Bool {
        guard !isSuspended, timeEnd(lastHeard: lastHeard, isHeard: isHeard).map({ now < $0 }) ?? true else {
            return false
        }
        tasks += 1
        return true
    }

    /// The app ends one of them, where it holds any.
    mutating func endTask() { tasks = max(0, tasks - 1) }

    // MARK: Time

    /// When the next step is due; nil when none is.
    ///
    /// - Parameters:
    ///   - lastHeard: When sound was last heard; nil when none ever was.
    ///   - isHeard: Whether sound is heard now.
    /// - Returns: The instant.
    func nextChange(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        let ends = [
            silenceEnd(lastHeard: lastHeard, isHeard: isHeard), taskEnd(lastHeard: lastHeard, isHeard: isHeard),
        ]
        return (ends + [agenda.first?.at]).compactMap { $0 }.min()
    }

    /// Takes the next step that is due; nil when none is.
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
            case .didEnterBackground, .terminated: enteredAt = now
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

    /// When an app that lets nothing be heard is suspended.
    private func silenceEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        guard let enteredAt, profile.runsInBackground, tasks == 0, !isSuspended else { return nil }
        let unserved = hasService ? nil : profile.suspendsWithoutServiceAfter.map { enteredAt + $0 }
        let silent = isHeard ? nil : profile.suspendsAppAfter.map { max(enteredAt, lastHeard ?? enteredAt) + $0 }
        return [unserved, silent].compactMap { $0 }.min()
    }

    /// When the background tasks of an app expire that holds any.
    private func taskEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        tasks > 0 ? timeEnd(lastHeard: lastHeard, isHeard: isHeard) : nil
    }

    /// When the app's time in the background is over: it counts from when the app entered it, or was heard last.
    private func timeEnd(lastHeard: Instant?, isHeard: Bool) -> Instant? {
        guard !isHeard, let enteredAt, let limit = profile.backgroundTaskLimit else { return nil }
        return max(enteredAt, lastHeard ?? enteredAt) + limit
    }
}
