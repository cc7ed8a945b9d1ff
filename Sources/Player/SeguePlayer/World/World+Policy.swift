internal import SegueData
internal import SegueNetworkModel
internal import SeguePlayerModel

/// A world whose app is a policy of `Harness/apps`, for comparison with an app's own code.
@_spi(Policies) extension World {
    /// Creates a world with a policy's app in the foreground, and an empty queue.
    ///
    /// - Parameters:
    ///   - policy: The policy: the name of a file in `Harness/apps`, or a path.
    ///   - think: The response time of the server, for responses without one of their own.
    ///   - seed: The seed for behavior that the platform or the network leaves to chance.
    /// - Throws: The errors of the other initializer, and an error with a one-line description if the policy does not
    ///   exist.
    public convenience init(
        policy: String,
        platform: String,
        network: Network = .wifi,
        server: Server = .titles(),
        think: Duration = .milliseconds(20),
        seed: UInt64 = 1
    ) throws {
        let app = try AppProfile(
            contentsOfFile: HarnessFolder.ofLibrary.file(policy, of: .apps),
            in: .ofLibrary
        )
        let player = App.Player(rawValue: app.player.rawValue) ?? .queue
        let settings = Settings(
            platform: platform,
            network: network,
            server: server,
            player: player,
            think: think,
            seed: seed
        )
        try self.init(settings) {
            PlaybackSession(platform: $0, app: app, seed: seed)
        }
    }

    /// Appends a title to the policy's queue.
    ///
    /// - Parameters:
    ///   - full: The playlist of the full rendition.
    ///   - audio: The audio-only playlist; nil for none.
    ///   - multivariant: The multivariant playlist; nil for none.
    public func open(full: String, audio: String?, multivariant: String?) {
        engine.send(.open([ItemAddress(full: full, background: audio, multivariant: multivariant)]))
    }
}
