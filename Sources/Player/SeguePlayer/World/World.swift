internal import SegueCharts
internal import SegueEvents
internal import SeguePlayerModel
internal import SegueSearch
internal import SegueTime

/// A player on a device, with a network and a server, in virtual time.
///
/// Create a world within `virtualTime`, or use ``withWorld(platform:network:server:app:think:seed:limit:patience:_:)``,
/// which does both. The app's own code runs in it unchanged. The same seed gives the same result each time.
@MainActor public final class World {
    /// The player under test.
    public let player: QueuePlayer

    /// The device of the player.
    public let device: Device

    /// The user of the app, whose actions are the basis for ``broken``.
    public let user: User

    let engine: PlayerEngine

    /// Creates a world with the app in the foreground, and an empty queue.
    ///
    /// - Parameters:
    ///   - platform: The platform: the name of a file in `Harness/platforms`, such as `ios-4.3`, or a path.
    ///   - app: The properties of the app that the platform uses.
    ///   - think: The response time of the server, from zero, for responses without one of their own.
    ///   - seed: The seed for behavior that the platform or the network leaves to chance.
    /// - Throws: ``WorldError`` outside of virtual time, and if the platform has no such player; an error with a
    ///   one-line description if the platform or the network does not exist.
    public convenience init(
        platform: String = "ios-4.3",
        network: Network = .wifi,
        server: Server = .titles(),
        app: App = App(),
        think: Duration = .milliseconds(20),
        seed: UInt64 = 1
    ) throws {
        let traits = app.traits
        let settings = Settings(
            platform: platform,
            network: network,
            server: server,
            player: app.player,
            think: think,
            seed: seed
        )
        try self.init(settings) {
            PlaybackSession(platform: $0, outside: traits, seed: seed)
        }
    }

    /// The settings of a world without its app.
    struct Settings {
        var platform: String
        var network: Network
        var server: Server
        var player: App.Player
        var think: Duration
        var seed: UInt64
    }

    init(_ settings: Settings, session: (PlatformProfile) -> PlaybackSession) throws {
        guard let schedule = VirtualSchedule(for: "the player") else { throw WorldError.outsideVirtualTime }
        let profile = try KnownProfiles.platform(settings.platform)
        guard profile.players.contains(where: { $0.rawValue == settings.player.rawValue }) else {
            throw WorldError.noSuchPlayer(platform: settings.platform, player: settings.player)
        }
        let engine = PlayerEngine(
            session(profile),
            over: PlayerEngine.Path(
                network: try settings.network.profile(),
                window: profile.loading.requesting.receiveWindow,
                think: settings.think,
                seed: settings.seed
            ),
            to: settings.server,
            schedule
        )
        self.engine = engine
        let player = QueuePlayer(engine, schedule), device = Device(engine, schedule)
        (self.player, self.device) = (player, device)
        let expectations = Expectations(schedule) { [weak player, weak device] in
            (player?.observers ?? 0) + (device?.observers ?? 0)
        }
        user = User(engine, expectations)
        engine.changed = { [weak player] isByCall in
            // Calls come from the main actor, which all of their objects belong to.
            guard isByCall else { return schedule.onMain { player?.lookAtValues() } }
            MainActor.assumeIsolated { player?.lookAtValues() }
        }
        engine.told = { [weak player, weak device] news in
            schedule.onMain {
                switch news {
                case .notice(let notice):
                    player?.handle(notice)
                    if case .timeControl(.playing) = notice { expectations.soundBegan() }
                case .step(let step): device?.handle(step)
                }
            }
        }
        WorldCompany.add(self, in: schedule.identity)
    }

    /// Replaces the network immediately.
    ///
    /// - Throws: An error with a one-line description if the network does not exist, or its description is invalid.
    public func setNetwork(_ network: Network) throws {
        let profile = try network.profile()
        engine.become(profile)
    }

    /// Injects a fault into requests from now on.
    ///
    /// - Parameter fault: The fault, in addition to earlier ones.
    public func plant(_ fault: Fault) { engine.plant(fault.planted) }

    /// Removes all injected faults.
    public func removePlantedFaults() { engine.plant(nil) }

    // MARK: Results

    /// The quality of experience so far.
    public var report: Report { Report(engine.metrics) }

    /// The problems so far, with their times and causes, one per line; empty if there are none.
    public var troubles: String { engine.log.troubles.joined(separator: "\n") }

    /// The violations so far, in order of detection, one for each rule; empty if there are none.
    ///
    /// The rules apply to every app. `#expect(world.broken.isEmpty, "\(world.broken)")` includes the violations in its
    /// failure.
    ///
    /// A second world in the same run is a second player of the app: it follows the user of the first one as long as its
    /// own user does nothing, and one audible player suffices.
    public var broken: [BrokenRule] {
        let (log, context) = evidence
        let found = RequirementChecker.broken(in: log, context, until: engine.now)
        return (found.map(BrokenRule.init) + user.expectations.broken).sorted { $0.at < $1.at }
    }

    /// The access log of every item, in the W3C extended log file format.
    public var accessLog: String { engine.accessLog }

    /// The error log of every item, in the same format.
    public var errorLog: String { engine.session.extendedErrorLog }

    /// All events so far, one per line (JSON Lines; docs/EVENTS.md describes them).
    public var log: String { engine.log.jsonLines }

    /// Draws a chart of the events so far, as SVG.
    ///
    /// - Parameter title: The title of the chart.
    /// - Returns: The SVG.
    public func picture(title: String = "") -> String {
        var log = engine.log
        log.append(.caseEnded(reason: "the chart was drawn"), at: engine.now)
        return TimelineDrawing.svg(RunTimeline(log: log), title: title)
    }
}

/// An error that prevents the creation of a world.
public enum WorldError: Error, CustomStringConvertible {
    /// The world was created outside of virtual time.
    case outsideVirtualTime
    /// The platform has no player of that kind.
    case noSuchPlayer(platform: String, player: App.Player)

    /// The problem and its solution.
    public var description: String {
        switch self {
        case .outsideVirtualTime:
            "a world needs virtual time: create it within `virtualTime { … }`, or use `withWorld { world in … }`"
        case .noSuchPlayer(let platform, let player):
            "\(platform) has no \(player.rawValue); use the other kind of player"
        }
    }
}

// Size: each parameter is an independent setting of a test, with a default value.
/// Runs a test in a world of its own, in virtual time.
///
/// - Parameters:
///   - platform: The platform, such as `ios-4.3`.
///   - app: The properties of the app that the platform uses.
///   - think: The response time of the server, from zero, for responses without one of their own.
///   - seed: The seed of the world, and of the order of work that is ready at the same instant; 0 keeps its order.
///   - limit: The maximum virtual time.
///   - patience: The maximum real time for a single piece of work, such as a response of the server.
/// - Returns: The result of the test.
/// - Throws: The errors of the test, and those of ``World/init(platform:network:server:app:think:seed:)`` and
///   `virtualTime`.
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
