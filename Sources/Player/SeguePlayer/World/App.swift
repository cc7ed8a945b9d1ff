internal import SeguePlayerModel

/// The properties of the app under test that the platform uses.
public struct App: Sendable {
    /// A kind of player.
    public enum Player: String, Sendable {
        /// `AVQueuePlayer`, and its equivalents on other platforms.
        case queue = "queue-player"
        /// `MPMoviePlayerController`, which plays one item and has no queue.
        case movie = "movie-player"
    }

    /// A policy for items with video in the background (`audiovisualBackgroundPlaybackPolicy`).
    public enum BackgroundPlaybackPolicy: String, Sendable {
        /// The platform decides.
        case automatic
        /// The item pauses.
        case pauses
        /// The item continues if the platform allows it.
        case continuesIfPossible = "continues-if-possible"
    }

    /// The kind of player.
    public var player: Player

    /// The policy for items with video in the background, on platforms that have one.
    public var backgroundPlaybackPolicy: BackgroundPlaybackPolicy

    /// True if the app runs a foreground service while it plays in the background, on platforms that have such
    /// services.
    public var hasForegroundService: Bool

    /// True if the app has a video layer.
    public var hasLayer: Bool

    /// Creates the properties of an app.
    ///
    /// - Parameters:
    ///   - player: The kind of player.
    ///   - backgroundPlaybackPolicy: The policy for items with video in the background.
    ///   - hasForegroundService: True if the app runs a foreground service while it plays in the background.
    ///   - hasLayer: True if the app has a video layer.
    public init(
        player: Player = .queue,
        backgroundPlaybackPolicy: BackgroundPlaybackPolicy = .automatic,
        hasForegroundService: Bool = true,
        hasLayer: Bool = true
    ) {
        (self.player, self.backgroundPlaybackPolicy) = (player, backgroundPlaybackPolicy)
        (self.hasForegroundService, self.hasLayer) = (hasForegroundService, hasLayer)
    }

    /// The same properties in the model.
    var traits: AppTraits {
        AppTraits(
            player: PlatformProfile.PlayerKind(rawValue: player.rawValue) ?? .queuePlayer,
            playbackPolicy: PlatformProfile.PlaybackPolicy(rawValue: backgroundPlaybackPolicy.rawValue) ?? .automatic,
            hasForegroundService: hasForegroundService,
            hasLayer: hasLayer
        )
    }
}
