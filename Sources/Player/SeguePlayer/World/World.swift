internal import SegueCharts
internal import SegueEvents
internal import SeguePlayerModel
internal import SegueSearch
internal import SegueTime

/// A player on a device, a network and a server, in virtual time.
///
/// A world is made within `virtualTime`, or with
/// ``withWorld(platform:network:server:app:think:seed:limit:patience:_:)``, which does both. An app's own code runs in it as
/// it is; the same seed gives the same story each time.
@MainActor public final class World {
    /// The player.
    public let player: QueuePlayer

    /// The device that it runs on.
    public let device: Device

    /// The user of the app, whose wishes ``broken`` is judged by.
    public let user: User

    let engine: PlayerEngine

    /// A world in the foreground with nothing in its player's queue.
    ///
    /// - Parameters:
    ///   - platform: The platform, by the name of a file in `Harness/platforms`, such as `ios-4.3`, or a path.
    ///   - network: The network.
    ///   - server: The server.
    ///   - app: What the platform has to know of the app.
    ///   - think: How long the server takes for an answer, from zero, where that does not say.
    ///   - seed: Decides what the platform leaves open, and what the network leaves to chance.
    /// - Throws: ``WorldError`` outside virtual time, and where the platform has no such player; an error of one line where there is no such platform or network.
    public convenience init(
        platform: String = "ios-4.3",
        network: Network = .wifi,
        server: Server = .titles(),
        app: App = App(),
        think: Duration = .milliseconds(20),
        seed: UInt64 = 1
    ) throws {
        let traits = app.traits
        try self.init(platform, network, server, app.player, think, seed) {
            PlaybackSession(platform: $0, outside: traits, seed: seed)
        }
    }

    init(
        _ platform: String,
        _ network: Network,
        _ server: Server,
        _ player: App.Player,
        _ think: Duration,
        _ seed: UInt64,
        session: (PlatformProfile) -> PlaybackSession
    ) throws {
        guard let schedule = VirtualSchedule(for: "the player") else { throw WorldError.outsideVirtualTime }
        let profile = try KnownProfiles.platform(platform)
        guard profile.players.contains(where: { $0.rawValue == player.rawValue }) else {
            throw WorldError.noSuchPlayer(platform: platform, player: player)
        }
        let engine = PlayerEngine(
            session(profile),
            window: profile.loading.requesting.receiveWindow,
            network: try network.profile(),
            server: server,
            think: think,
            seed: seed,
            schedule: schedule
        )
        self.engine = engine
        let player = QueuePlayer(engine, schedule), device = Device(engine, schedule)
        (self.player, self.device) = (player, device)
        let expectations = Expectations(schedule) { [weak player, weak device] in
            (player?.observers ?? 0) + (device?.observers ?? 0)
        }
        user = User(engine, expectations)
        engine.changed = { [weak player] isByCall in
            // Calls come from the main actor, as all that they belong to is its.
            guard isByCall else { return schedule.tell { player?.lookAtValues() } }
            MainActor.assumeIsolated { player?.lookAtValues() }
        }
        engine.told = { [weak player, weak device] news in
            schedule.tell {
                switch news {
                case .notice(let notice):
                    player?.take(notice)
                    if case .timeControl(.playing) = notice { expectations.soundBegan() }
                case .step(let step): device?.take(step)
                }
            }
        }
    }

    /// The network becomes another one at once.
    ///
    /// - Parameter network: The network.
    /// - Throws: An error of one line where there is no such network, or it is described wrongly.
    public func setNetwork(_ network: Network) throws {
        let profile = try network.profile()
        engine.become(profile)
    }

    /// Something goes wrong with requests that come to the server from now on.
    ///
    /// - Parameter fault: What; what was planted before stays.
    public func plant(_ fault: Fault) { engine.plant(fault.planted) }

    /// Nothing that was planted goes wrong any more.
    public func removePlantedFaults() { engine.plant(nil) }

    // MARK: What it was like

    /// What was played, stalled and switched until now.
    public var report: Report { Report(engine.metrics) }

    /// What went wrong until now, when and why, a line each; empty where nothing did.
    public var troubles: String { engine.log.troubles.joined(separator: "\n") }

    /// The rules that were broken until now, in the order in which that was found; each once, and empty where none was.
    ///
    /// They hold for every app; `#expect(world.broken.isEmpty, "\(world.broken)")` says in its failure what was found.
    public var broken: [BrokenRule] {
        let found = WishJudge.broken(in: engine.log, wishes: user.wishes, titles: user.titles, until: engine.now)
        return (found.map(BrokenRule.init) + user.expectations.broken).sorted { $0.at < $1.at }
    }

    /// The access log of every item, in the W3C extended log file format.
    public var accessLog: String { engine.accessLog }

    /// The error log of every item, in the same format.
    public var errorLog: String { engine.session.extendedErrorLog }

    /// Everything that happened until now, an event a line (JSON Lines, as docs/EVENTS.md describes them).
    public var log: String { engine.log.jsonLines }

    /// The picture of what happened until now, an SVG.
    ///
    /// - Parameter title: What stands over it.
    /// - Returns: The SVG.
    public func picture(title: String = "") -> String {
        var log = engine.log
        log.append(.caseEnded(reason: "the picture was made"), at: engine.now)
        return StoryPicture.svg(RunStory(log: log), title: title)
    }
}

/// Why there can be no world.
public enum WorldError: Error, CustomStringConvertible {
    /// It was made outside of virtual time.
    case outsideVirtualTime
    /// The platform has no player of that kind.
    case noSuchPlayer(platform: String, player: App.Player)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .outsideVirtualTime:
            "a world lives in virtual time: make it within `virtualTime { … }`, or use `withWorld { world in … }`"
        case .noSuchPlayer(let platform, let player):
            "\(platform) has no \(player.rawValue); the other kind of player is one that it has"
        }
    }
}

/// Runs a test in a world of its own, in virtual time.
///
/// - Parameters:
///   - platform: The platform, such as `ios-4.3`.
///   - network: The network.
///   - server: The server.
///   - app: What the platform has to know of the app.
///   - think: How long the server takes for an answer, from zero, where that does not say.
///   - seed: The seed of the world, and of the order of what is ready at the same instant; 0 leaves that order as it came.
///   - limit: How far virtual time may go.
///   - patience: How long, of real time, one thing may take, such as a server's answer.
///   - body: The test.
/// - Returns: What the test returns.
/// - Throws: What the test throws; what ``World/init(platform:network:server:app:think:seed:)`` and `virtualTime` throw.
@discardableResult @MainActor public func withWorld<Value: Sendable>(
    platform: String = "ios-4.3",
    network: Network = .wifi,
    server: Server = .titles(),
    app: App = App(),
    think: Duration = .milliseconds(20),
    seed: UInt64 = 0,
    limit: Duration = .seconds(86_400),
    patience: Duration = .seconds(5),
    _ body: @escaping @MainActor (World) async throws -> Value
) async throws -> Value {
    try await virtualTime(seed: seed, limit: limit, patience: patience) {
        let world = try World(
            platform: platform,
            network: network,
            server: server,
            app: app,
            think: think,
            seed: max(1, seed)
        )
        return try await body(world)
    }
}
