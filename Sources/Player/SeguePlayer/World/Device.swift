internal import SeguePlayerModel
internal import SegueTime

/// The device that a player runs on, and what its user and its system do.
@MainActor public final class Device {
    /// Where sound comes out.
    public enum Route: String, Sendable {
        /// The device's own speaker.
        case speaker
        /// Headphones, with a cable or without.
        case headphones
        /// Another device, by AirPlay.
        case airplay
    }

    private let engine: PlayerEngine
    private let schedule: VirtualSchedule
    private let listeners = Listeners<DeviceNotification>()

    /// Whether the user saves power, about which the model does nothing; an app may.
    public private(set) var isLowPowerModeEnabled = false
    private var owesPowerState = false

    init(_ engine: PlayerEngine, _ schedule: VirtualSchedule) { (self.engine, self.schedule) = (engine, schedule) }

    // MARK: What happens to it

    /// The user leaves the app for the home screen.
    public func goHome() { engine.send(.goHome) }

    /// The user locks the device with the app in front.
    public func lock() { engine.send(.lock) }

    /// The user comes back to the app, or unlocks the device.
    public func comeBack() { engine.send(.comeBack) }

    /// Something else takes the sound, such as a call.
    public func interrupt() { engine.send(.interrupt) }

    /// That is over.
    ///
    /// - Parameter shouldResume: Whether the app is told that it should go on.
    public func endInterruption(shouldResume: Bool) { engine.send(.endInterruption(shouldResume: shouldResume)) }

    /// The sound goes elsewhere; headphones that are pulled out leave it to the speaker.
    ///
    /// - Parameter route: Where to.
    public func change(to route: Route) {
        if let route = AudioRoute(rawValue: route.rawValue) { engine.send(.changeRoute(route)) }
    }

    /// The media service dies and is started anew: players and items made before are of no use.
    public func resetMediaServices() { engine.send(.resetMediaServices) }

    /// Memory is short, of which the app is told where it runs.
    public func warnOfMemory() { if !engine.session.isSuspended { tell(.didReceiveMemoryWarning) } }

    /// The user begins to save power, or ceases to; an app that is suspended is told when it runs again.
    ///
    /// - Parameter isEnabled: Whether power is saved from now on.
    public func setLowPowerMode(_ isEnabled: Bool) {
        guard isEnabled != isLowPowerModeEnabled else { return }
        isLowPowerModeEnabled = isEnabled
        guard !engine.session.isSuspended else { return owesPowerState = true }
        tell(.powerStateDidChange)
    }

    private func tell(_ notification: DeviceNotification) {
        schedule.tell { [listeners] in listeners.tell(notification) }
    }

    // MARK: What the app asks of it

    /// Where sound comes out.
    public var route: Route {
        switch engine.session.route {
        case .speaker: .speaker
        case .headphones: .headphones
        case .airplay: .airplay
        }
    }

    /// Whether the app is on the screen, with no phase of its life under way.
    public var isInForeground: Bool { engine.session.isInForeground }

    /// Whether the app is in the background, with no phase of its life under way.
    public var isInBackground: Bool { engine.session.isInBackground }

    /// The app asks to run on for a while in the background.
    ///
    /// Each call is a task of its own, to be ended by a call of ``endBackgroundTask()``. The time is the app's and not the
    /// task's: it counts from when the app left the screen, or was heard last, and another task does not renew it.
    /// ``DeviceNotification/backgroundTaskExpired`` tells that it is over, upon which the app ends what it holds; it gets
    /// none after that, nor while it is suspended.
    public func beginBackgroundTask() { engine.send(.beginTask) }

    /// The app ends one of its background tasks, where it has any.
    public func endBackgroundTask() { engine.send(.endTask) }

    /// The app takes the layer with the player's pictures off the screen, or puts it back.
    ///
    /// - Parameter isAttached: Whether it is on the screen from now on.
    public func setLayerAttached(_ isAttached: Bool) { engine.send(isAttached ? .attachLayer : .detachLayer) }

    // MARK: What it tells of

    /// What it tells from now on.
    public var notifications: AsyncStream<DeviceNotification> { listeners.stream() }

    /// Calls a closure for what it tells.
    ///
    /// - Parameter closure: What is called.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    public func observe(_ closure: @escaping @MainActor (DeviceNotification) -> Void) -> Observation {
        listeners.add(closure)
    }

    /// Whether the app's code does not run.
    var isSuspended: Bool { engine.session.isSuspended }

    /// How many observe it.
    var observers: Int { listeners.number }

    func take(_ step: Lifecycle.Step) {
        if owesPowerState {
            owesPowerState = false
            listeners.tell(.powerStateDidChange)
        }
        switch step {
        case .willResignActive: listeners.tell(.willResignActive)
        case .didEnterBackground: listeners.tell(.didEnterBackground)
        case .willEnterForeground: listeners.tell(.willEnterForeground)
        case .didBecomeActive: listeners.tell(.didBecomeActive)
        case .backgroundTaskExpired: listeners.tell(.backgroundTaskExpired)
        case .interruptionBegan: listeners.tell(.interruptionBegan)
        case .interruptionEnded: listeners.tell(.interruptionEnded(shouldResume: false))
        case .interruptionEndedShouldResume: listeners.tell(.interruptionEnded(shouldResume: true))
        case .routeChanged: listeners.tell(.routeChanged)
        case .mediaServicesReset: listeners.tell(.mediaServicesWereReset)
        case .mediaSuspended, .suspended, .resumed, .locked, .unlocked, .terminated: break
        }
    }
}
