internal import SeguePlayerModel
internal import SegueTime

/// The device of a player, with the actions of its user and its system.
@MainActor public final class Device {
    /// An audio output.
    public enum Route: String, Sendable {
        /// The built-in speaker.
        case speaker
        /// Headphones, wired or wireless.
        case headphones
        /// Another device, by AirPlay.
        case airplay
    }

    private let engine: PlayerEngine
    private let schedule: VirtualSchedule
    private let listeners = Listeners<DeviceNotification>()

    /// True if the user has enabled low power mode.
    ///
    /// It does not affect the model, but may affect an app.
    public private(set) var isLowPowerModeEnabled = false
    private var owesPowerState = false

    /// The audio session of the app (`AVAudioSession.sharedInstance()`).
    public let audioSession: AudioSession

    init(_ engine: PlayerEngine, _ schedule: VirtualSchedule) {
        (self.engine, self.schedule) = (engine, schedule)
        audioSession = AudioSession(engine)
    }

    // MARK: Events of the device

    /// Leaves the app for the home screen.
    public func goHome() { engine.send(.goHome) }

    /// Locks the device with the app in front.
    public func lock() { engine.send(.lock) }

    /// Returns to the app, or unlocks the device.
    public func comeBack() { engine.send(.comeBack) }

    /// Begins an interruption, such as a call.
    public func interrupt() { engine.send(.interrupt) }

    /// Ends the interruption.
    ///
    /// - Parameter shouldResume: True if the app should resume playback.
    public func endInterruption(shouldResume: Bool) { engine.send(.endInterruption(shouldResume: shouldResume)) }

    /// Changes the audio output.
    ///
    /// Removing headphones changes it to the speaker.
    public func change(to route: Route) {
        if let route = AudioRoute(rawValue: route.rawValue) { engine.send(.changeRoute(route)) }
    }

    /// Sets the Ring/Silent switch.
    ///
    /// - Parameter isSilent: True if it is set to silent.
    public func setSilentSwitch(_ isSilent: Bool) { engine.send(.setSilentSwitch(isSilent)) }

    /// Begins the audio of another app.
    ///
    /// It interrupts the app's audio, unless one of both mixes with others.
    ///
    /// - Parameter mixes: True if it mixes with that of others.
    public func beginOtherAudio(mixes: Bool = false) { engine.send(.beginOtherAudio(mixes: mixes)) }

    /// Ends the audio of the other app.
    ///
    /// - Parameter shouldResume: True if the app should resume playback, if it was interrupted.
    public func endOtherAudio(shouldResume: Bool) { engine.send(.endOtherAudio(shouldResume: shouldResume)) }

    /// Restarts the media services.
    ///
    /// Existing players and items become unusable.
    public func resetMediaServices() { engine.send(.resetMediaServices) }

    /// Warns the app of low memory, if it is running.
    public func warnOfMemory() { if !engine.session.isSuspended { notify(.didReceiveMemoryWarning) } }

    /// Changes low power mode.
    ///
    /// A suspended app is notified when it resumes.
    ///
    /// - Parameter isEnabled: True if low power mode is on.
    public func setLowPowerMode(_ isEnabled: Bool) {
        guard isEnabled != isLowPowerModeEnabled else { return }
        isLowPowerModeEnabled = isEnabled
        guard !engine.session.isSuspended else { return owesPowerState = true }
        notify(.powerStateDidChange)
    }

    private func notify(_ notification: DeviceNotification) {
        schedule.onMain { [listeners] in listeners.notify(notification) }
    }

    // MARK: Requests of the app

    /// The audio output.
    public var route: Route {
        switch engine.session.route {
        case .speaker: .speaker
        case .headphones: .headphones
        case .airplay: .airplay
        }
    }

    /// True if the app is on the screen, with no phase pending.
    public var isInForeground: Bool { engine.session.isInForeground }

    /// True if the app is in the background, with no phase pending.
    public var isInBackground: Bool { engine.session.isInBackground }

    /// Begins a background task.
    ///
    /// Each call begins a separate task, which a call of ``endBackgroundTask()`` ends. All tasks share one time limit,
    /// counted from when the app left the screen or was last audible, which a new task does not renew.
    /// ``DeviceNotification/backgroundTaskExpired`` announces its end, after which the app should end its tasks. No
    /// task is granted after that, or while the app is suspended.
    public func beginBackgroundTask() { engine.send(.beginTask) }

    /// Ends a background task of the app, if there is one.
    public func endBackgroundTask() { engine.send(.endTask) }

    /// Detaches or attaches the video layer.
    ///
    /// - Parameter isAttached: True if the layer is attached.
    public func setLayerAttached(_ isAttached: Bool) { engine.send(isAttached ? .attachLayer : .detachLayer) }

    // MARK: Notifications

    /// The notifications from now on.
    public var notifications: AsyncStream<DeviceNotification> { listeners.stream() }

    /// Calls a closure for each notification.
    ///
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    public func observe(_ closure: @escaping @MainActor (DeviceNotification) -> Void) -> Observation {
        listeners.add(closure)
    }

    /// True if the app's code is suspended.
    var isSuspended: Bool { engine.session.isSuspended }

    var observers: Int { listeners.number }

    func handle(_ step: Lifecycle.Step) {
        if owesPowerState {
            owesPowerState = false
            listeners.notify(.powerStateDidChange)
        }
        switch step {
        case .willResignActive: listeners.notify(.willResignActive)
        case .didEnterBackground: listeners.notify(.didEnterBackground)
        case .willEnterForeground: listeners.notify(.willEnterForeground)
        case .didBecomeActive: listeners.notify(.didBecomeActive)
        case .backgroundTaskExpired: listeners.notify(.backgroundTaskExpired)
        case .interruptionBegan: listeners.notify(.interruptionBegan)
        case .interruptionEnded: listeners.notify(.interruptionEnded(shouldResume: false))
        case .interruptionEndedShouldResume: listeners.notify(.interruptionEnded(shouldResume: true))
        case .routeChanged: listeners.notify(.routeChanged)
        case .mediaServicesReset: listeners.notify(.mediaServicesWereReset)
        case .mediaSuspended, .suspended, .resumed, .locked, .unlocked, .terminated: break
        }
    }
}
