internal import SeguePlayerModel

/// What a session was like for who listened to it.
public struct Report: Sendable, Equatable {
    /// What became of the sound after the app went to the background.
    public enum Background: String, Sendable {
        /// Heard again within 15 s, and to the end of the stay or of the item.
        case continues
        /// Not heard any more, and no item failed.
        case paused
        /// An item failed.
        case rejected
        /// The platform has no such player.
        case unavailable
    }

    /// From the first wish to play until the first sound; nil when neither came.
    public let startup: Duration?
    /// How often the buffer ran out while playing.
    public let stalls: Int
    /// How long playback stood still for that.
    public let stalled: Duration
    /// What became of the first stay in the background; nil without one.
    public let background: Background?
    /// How much media was heard.
    public let heard: Duration
    /// How much media was played, with sound or without.
    public let played: Duration
    /// How many bytes came.
    public let bytes: Int

    init(_ metrics: SessionMetrics) {
        startup = metrics.startup
        (stalls, stalled) = (metrics.stalls, metrics.stalled)
        background = metrics.background.flatMap { Background(rawValue: $0.rawValue) }
        (heard, played, bytes) = (metrics.heard, metrics.played, metrics.bytes)
    }
}
