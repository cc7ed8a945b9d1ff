/// The properties of an app that the platform uses, for a policy of the session or for an app outside of it.
package struct AppTraits: Sendable {
    package var player: PlatformProfile.PlayerKind

    /// The policy that the app sets for items with video in the background, on platforms that have one.
    package var playbackPolicy: PlatformProfile.PlaybackPolicy

    /// True if the app runs a foreground service while it plays in the background.
    package var hasForegroundService: Bool

    /// True if the app has a video layer.
    package var hasLayer: Bool

    /// The background modes and the audio session of the app.
    package var declarations: AppDeclarations

    package init(
        player: PlatformProfile.PlayerKind = .queuePlayer,
        playbackPolicy: PlatformProfile.PlaybackPolicy = .automatic,
        hasForegroundService: Bool = false,
        hasLayer: Bool = true,
        declarations: AppDeclarations = AppDeclarations()
    ) {
        (self.player, self.playbackPolicy) = (player, playbackPolicy)
        (self.hasForegroundService, self.hasLayer) = (hasForegroundService, hasLayer)
        self.declarations = declarations
    }
}

extension AppProfile {
    /// The properties that the platform uses.
    var traits: AppTraits {
        AppTraits(
            player: player,
            playbackPolicy: playbackPolicy,
            hasForegroundService: hasForegroundService,
            hasLayer: layer != AppProfile.Layer.none,
            declarations: declarations
        )
    }
}
