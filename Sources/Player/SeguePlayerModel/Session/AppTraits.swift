/// What the platform has to know of an app, whether that is one of the session's policies or somebody's own code.
package struct AppTraits: Sendable {
    /// The kind of player that it has.
    package var player: PlatformProfile.PlayerKind

    /// The policy for items with video in the background that it sets, where the platform has such a setting.
    package var playbackPolicy: PlatformProfile.PlaybackPolicy

    /// Whether it runs a foreground service while it plays in the background.
    package var hasForegroundService: Bool

    /// Whether it has a layer that shows the pictures.
    package var hasLayer: Bool

    /// An app.
    package init(
        player: PlatformProfile.PlayerKind = .queuePlayer,
        playbackPolicy: PlatformProfile.PlaybackPolicy = .automatic,
        hasForegroundService: Bool = false,
        hasLayer: Bool = true
    ) {
        (self.player, self.playbackPolicy) = (player, playbackPolicy)
        (self.hasForegroundService, self.hasLayer) = (hasForegroundService, hasLayer)
    }
}

extension AppProfile {
    /// What the platform has to know of it.
    var traits: AppTraits {
        AppTraits(
            player: player,
            playbackPolicy: playbackPolicy,
            hasForegroundService: hasForegroundService,
            hasLayer: layer != AppProfile.Layer.none
        )
    }
}
