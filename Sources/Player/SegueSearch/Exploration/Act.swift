/// An event in a trial.
package enum Act: Sendable, Hashable {
    /// A common button of apps.
    package enum Button: String, Sendable, CaseIterable {
        case play, pause, toggle, stop, next, previous
    }

    /// An audio output.
    package enum Route: String, Sendable, CaseIterable {
        case speaker, headphones, airplay
    }

    /// The place from which the user sends a command to the app from outside of it.
    package enum Sender: String, Sendable, CaseIterable {
        case lockScreen = "lock-screen"
        case headphones
        case multitaskingBar = "multitasking-bar"
    }

    /// A fault of requests.
    package enum Trouble: Sendable, Hashable {
        case status(Int)
        case reset(after: Int)
        case stall(seconds: Int)
        case truncation(after: Int)
    }

    /// The requests that a fault affects.
    package enum Kind: String, Sendable, CaseIterable {
        case playlist, segment, any
    }

    case press(Button)
    /// A custom button of the app.
    case named(String)
    /// Seeks to a position, in seconds.
    case seek(Int)
    case rate(Double)
    /// Chooses a title, from 0.
    case choose(Int)
    case goHome, lock, comeBack, interrupt
    case endInterruption(shouldResume: Bool)
    case route(Route)
    /// A command from outside of the app, with the app's button that has the same effect.
    case remote(Button, from: Sender)
    case resetServices, warnOfMemory
    case lowPower(Bool)
    /// Sets the Ring/Silent switch.
    case silentSwitch(Bool)
    /// Changes the network.
    case network(Conditions)
    /// Loses or restores connectivity.
    case offline, online
    /// Injects a fault into a number of requests; nil for all.
    case fault(Trouble, Kind, count: Int?)
    /// Removes all faults.
    case mend

    /// True if the user performs it on the app.
    package var isOfUser: Bool {
        switch self {
        case .press, .named, .seek, .rate, .choose: true
        case .goHome, .lock, .comeBack, .interrupt, .endInterruption, .route, .remote, .resetServices, .warnOfMemory,
            .lowPower, .silentSwitch, .network, .offline, .online, .fault, .mend:
            false
        }
    }

    /// True if it affects the network or requests.
    var isOfNetwork: Bool {
        switch self {
        case .network, .offline, .online, .fault, .mend: true
        case .press, .named, .seek, .rate, .choose, .goHome, .lock, .comeBack, .interrupt, .endInterruption, .route,
            .remote, .resetServices, .warnOfMemory, .lowPower, .silentSwitch:
            false
        }
    }

    /// Simpler acts that may have the same effect, the simplest first.
    var plainer: [Act] {
        switch self {
        case .press(.toggle): [.press(.play), .press(.pause)]
        case .press(.stop): [.press(.pause)]
        case .seek(let place): [10, 60, place / 10 * 10].filter { $0 < place }.map(Act.seek)
        case .choose(let index) where index > 0: [.choose(0)]
        case .lock: [.goHome]
        case .route(.airplay): [.route(.headphones)]
        case .remote(let button, .lockScreen), .remote(let button, .multitaskingBar):
            [.remote(button, from: .headphones)]
        case .network: [.offline, .online]
        case .fault(let trouble, let kind, let count):
            (trouble == .status(404) ? [] : [.fault(.status(404), kind, count: count)])
                + (count == nil ? [] : [.fault(trouble, kind, count: nil)])
                + (kind == .any ? [] : [.fault(trouble, .any, count: count)])
        case .press, .named, .rate, .choose, .goHome, .comeBack, .interrupt, .endInterruption, .route, .remote,
            .resetServices, .warnOfMemory, .lowPower, .silentSwitch, .offline, .online, .mend:
            []
        }
    }
}
