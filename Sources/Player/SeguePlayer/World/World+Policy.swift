internal import SegueData
internal import SegueNetworkModel
internal import SeguePlayerModel

/// A world whose app is a policy of `Harness/apps`, to hold an app's own code against.
@_spi(Policies) extension World {
    /// A world in the foreground with an app that a policy describes, and nothing in its queue.
    ///
    /// - Parameters:
    ///   - policy: The policy, by the name of a file in `Harness/apps`, or a path.
    ///   - platform: The platform.
    ///   - network: The network.
    ///   - server: The server.
    ///   - think: How long the server takes for an answer, where that does not say.
    ///   - seed: Decides what the platform leaves open, and what the network leaves to chance.
    /// - Throws: What the other initializer throws; an error of one line where there is no such policy.
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
        try self.init(platform, network, server, player, think, seed) {
            PlaybackSession(platform: $0, app: app, seed: seed)
        }
    }

    /// Puts a title at the end of the policy's queue.
    ///
    /// - Parameters:
    ///   - full: The playlist of all of it.
    ///   - sound: That of its sound alone; nil where there is none.
    ///   - multivariant: The multivariant playlist; nil where there is none.
    public func open(full: String, sound: String?, multivariant: String?) {
        engine.send(.open([ItemAddress(full: full, background: sound, multivariant: multivariant)]))
    }
}
