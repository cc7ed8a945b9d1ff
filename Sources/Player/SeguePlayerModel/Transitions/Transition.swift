/// A change of state of the app, the platform, or the player, with the event that caused it.
package struct Transition: Sendable, Hashable, Codable {
    package enum Actor: String, Sendable, CaseIterable { case app, platform, player }

    /// A state machine.
    package enum Machine: String, Sendable, Codable {
        /// The notes and decisions of the app policy.
        case policy
        /// The calls that the app makes without its user.
        case calls
        /// The calls that the app makes for its user.
        case controls
        case backgroundTask = "background task"
        /// The problems of what the app declares.
        case declaration
        case lifeCycle = "life cycle"
        case mediaService = "media service"
        case route
        /// The audio of the app, as the platform lets it through.
        case output
        case otherAudio = "other audio"
        case playback, audio, queue, seek, buffer
        /// An item, from its insertion to its end.
        case item

        package var actor: Actor {
            switch self {
            case .policy, .calls, .controls, .backgroundTask, .declaration: .app
            case .lifeCycle, .mediaService, .route, .output, .otherAudio: .platform
            case .playback, .audio, .queue, .seek, .buffer, .item: .player
            }
        }

        /// The state before the first transition.
        var firstState: String {
            switch self {
            case .policy, .calls, .controls, .declaration, .lifeCycle, .mediaService, .route: "start"
            case .backgroundTask, .otherAudio: "none"
            case .output: "audible"
            case .playback: "paused"
            case .audio: "silent"
            case .queue: "0 items"
            case .seek: "idle"
            case .buffer: "filled"
            case .item: "queued"
            }
        }
    }

    package let machine: Machine
    package let from: String
    /// The event that caused it, or `time`.
    package let cause: String
    package let to: String
    /// The name in logs of the event that shows it.
    package let event: String

    package init(_ machine: Machine, from: String, on cause: String, to: String, event: String) {
        (self.machine, self.from, self.cause, self.to, self.event) = (machine, from, cause, to, event)
    }

    package var actor: Actor { machine.actor }
}

extension Transition: CustomStringConvertible {
    /// The transition in one line, which is also its name in reports.
    package var description: String { "\(machine.rawValue): \(from) → \(to), on \(cause)" }
}
