internal import SeguePlayerModel

/// The quality of experience of a session.
public struct Report: Sendable, Equatable {
    /// The outcome for audio after the app went to the background.
    public enum Background: String, Sendable {
        /// Audio was heard again within 15 s, and to the end of the stay or of the item.
        case continues
        /// Audio stopped, and no item failed.
        case paused
        /// An item failed.
        case rejected
        /// The platform has no such player.
        case unavailable
    }

    /// The time from the first play command to the first audio; nil without either.
    public let startup: Duration?
    /// The number of times that the buffer ran out during playback.
    public let stalls: Int
    /// The total duration of stalls.
    public let stalled: Duration
    /// The outcome of the first stay in the background; nil without one.
    public let background: Background?
    /// The duration of media heard.
    public let heard: Duration
    /// The duration of media played, with or without audio.
    public let played: Duration
    /// The number of bytes received.
    public let bytes: Int

    init(_ metrics: SessionMetrics) {
        startup = metrics.startup
        (stalls, stalled) = (metrics.stalls, metrics.stalled)
        background = metrics.background.flatMap { Background(rawValue: $0.rawValue) }
        (heard, played, bytes) = (metrics.heard, metrics.played, metrics.bytes)
    }
}
