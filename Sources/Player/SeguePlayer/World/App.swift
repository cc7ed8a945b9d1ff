internal import SeguePlayerModel

/// What the platform has to know of the app under test.
public struct App: Sendable {
    /// A kind of player.
    public enum Player: String, Sendable {
        /// `AVQueuePlayer`, and what other platforms have like it.
        case queue = "queue-player"
        /// `MPMoviePlayerController`: one item, no queue.
        case movie = "movie-player"
    }

    /// What an app may wish for items with pictures in the background (`audiovisualBackgroundPlaybackPolicy`).
    public enum BackgroundPlaybackPolicy: String, Sendable {
        /// What the platform does with no wish.
        case automatic
        /// The item pauses.
        case pauses
        /// The item goes on where the platform can have it so.
        case continuesIfPossible = "continues-if-possible"
    }

    /// The kind of player that it has.
    public var player: Player

    /// What it wishes for items with pictures in the background, where the platform has such a setting.
    public var backgroundPlaybackPolicy: BackgroundPlaybackPolicy

    /// Whether it runs a foreground service while it plays in the background, where the platform has such a thing.
    public var hasForegroundService: Bool

    /// Whether it has a layer that shows the pictures.
    public var hasLayer: Bool

    /// An app.
    ///
    /// - Parameters:
    ///   - player: The kind of player that it has.
    ///   - backgroundPlaybackPolicy: What it wishes for items with pictures in the background.
    ///   - hasForegroundService: Whether it runs a foreground service while it plays in the background.
    ///   - hasLayer: Whether it has a layer that shows the pictures.
    public init(
        player: Player = .queue,
        backgroundPlaybackPolicy: BackgroundPlaybackPolicy = .automatic,
        hasForegroundService: Bool = true,
        hasLayer: Bool = true
    ) {
        (self.player, self.backgroundPlaybackPolicy) = (player, backgroundPlaybackPolicy)
        (self.hasForegroundService, self.hasLayer) = (hasForegroundService, hasLayer)
    }

    /// The same as the model has it.
    var traits: AppTraits {
        AppTraits(
            player: PlatformProfile.PlayerKind(rawValue: player.rawValue) ?? .queuePlayer,
            playbackPolicy: PlatformProfile.PlaybackPolicy(rawValue: backgroundPlaybackPolicy.rawValue) ?? .automatic,
            hasForegroundService: hasForegroundService,
            hasLayer: hasLayer
        )
    }
}
