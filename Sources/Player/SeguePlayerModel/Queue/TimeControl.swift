/// Whether the player plays.
package enum TimeControl: Sendable, Equatable {
    case paused
    case waiting(WaitingReason)
    case playing

    /// The state's name.
    package var name: String {
        switch self {
        case .paused: "paused"
        case .waiting: "waiting"
        case .playing: "playing"
        }
    }

    /// What it waits for; empty where it does not wait.
    package var waitingFor: String { if case .waiting(let reason) = self { reason.rawValue } else { "" } }
}

/// What the player waits for.
package enum WaitingReason: String, Sendable, CaseIterable {
    case noItemToPlay
    /// It is not known yet how fast media load.
    case evaluatingBufferingRate
    case toMinimizeStalls
    /// The media service has not begun to play the item yet: what the platform profile's latencies stand for.
    case mediaService
    /// What plays is an interstitial.
    case interstitialEvent
}
