/// The status of a player.
package enum TimeControl: Sendable, Equatable {
    case paused
    case waiting(WaitingReason)
    case playing

    package var name: String {
        switch self {
        case .paused: "paused"
        case .waiting: "waiting"
        case .playing: "playing"
        }
    }

    /// The name of the reason to wait; empty while not waiting.
    package var waitingFor: String { if case .waiting(let reason) = self { reason.rawValue } else { "" } }
}

package enum WaitingReason: String, Sendable, CaseIterable {
    case noItemToPlay
    /// The loading speed is not known yet.
    case evaluatingBufferingRate
    case toMinimizeStalls
    /// The media service has not started the item yet, within the latencies of the platform profile.
    case mediaService
    /// An interstitial is playing.
    case interstitialEvent
}
