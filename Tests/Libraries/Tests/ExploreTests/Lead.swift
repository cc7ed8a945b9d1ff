import SeguePlayer

/// A sequence of events that exposes a bug.
struct Lead: Sendable {
    /// The app that is correct in it.
    var right = "a playlist"
    var network = Network.wifi
    let script: @MainActor @Sendable (World) async throws -> Void

    /// Returns the rules that an app violates.
    func broken(_ subject: Subject) async throws -> [BrokenRule] {
        let titles = Server.titles(duration: .seconds(120))
        return try await withWorld(platform: subject.platform, network: network, server: titles) { [script] world in
            let app = try subject.start(world)
            try await script(world)
            return withExtendedLifetime(app) { world.broken }
        }
    }

    /// Waits.
    static func after(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }

    /// Plays, and listens for a while.
    @MainActor static func play(_ seconds: Double, in world: World) async throws {
        world.user.press(.play)
        try await after(seconds)
    }

    /// A call comes and goes, and the app should resume.
    @MainActor static func interrupt(for seconds: Double, in world: World) async throws {
        world.device.interrupt()
        try await after(seconds)
        world.device.endInterruption(shouldResume: true)
    }
}
