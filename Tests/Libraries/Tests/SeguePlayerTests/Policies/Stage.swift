import Controllers
@_spi(Policies) import SeguePlayer
import SegueTime
import Testing

/// A comparison of a policy and the controller of its name in the same story.
@MainActor struct Stage {
    let policy: String
    let platform: String
    let network: String
    let titles: [Title]

    /// Films, each also with separate video and audio.
    static let films = ["one", "two"].map { name in
        Title(
            full: "http://server/\(name).m3u8",
            audio: "http://server/\(name)/sound.m3u8",
            multivariant: "http://server/\(name)/multivariant.m3u8"
        )
    }

    /// Music, whose full rendition is audio as well.
    static let music = ["one", "two"].map { name in
        Title(full: "http://server/\(name)/whole/sound.m3u8", audio: "http://server/\(name)/sound.m3u8")
    }

    private static let server = Server.titles(duration: .seconds(60))

    /// Expects the same result from both, and from neither if the platform has no such player.
    func compare(_ story: Story) async throws {
        let expected: Course
        do { expected = try await ofPolicy(story) } catch is WorldError {
            await #expect(throws: WorldError.self) { _ = try await ofController(story) }
            return
        }
        let differences = try await ofController(story).differences(from: expected)
        #expect(
            differences.isEmpty,
            """
            \(policy) on \(platform) over \(network), \(titles[0].full): \(story)
            \(differences.joined(separator: "\n"))
            """
        )
    }

    private func ofPolicy(_ story: Story) async throws -> Course {
        try await virtualTime(seed: 0, limit: .seconds(10_000)) {
            let world = try World(policy: policy, platform: platform, network: Network(network), server: Self.server)
            for title in titles {
                world.open(full: title.full, audio: title.audio, multivariant: title.multivariant)
            }
            try await tell(story, to: world, play: world.player.play, pause: world.player.pause)
            return Course(world)
        }
    }

    private func ofController(_ story: Story) async throws -> Course {
        let kind = try #require(Controller.all[policy])
        let network = Network(network)
        return try await withWorld(platform: platform, network: network, server: Self.server, app: kind.app) { world in
            let controller = kind.init(player: world.player, device: world.device, titles: titles)
            try await tell(story, to: world, play: controller.play, pause: controller.pause)
            return Course(world)
        }
    }

    private func tell(_ story: Story, to world: World, play: () -> Void, pause: () -> Void) async throws {
        for (act, seconds) in story.acts {
            switch act {
            case .play: play()
            case .pause: pause()
            case .goHome: world.device.goHome()
            case .lock: world.device.lock()
            case .comeBack: world.device.comeBack()
            case .interrupt: world.device.interrupt()
            case .endInterruption: world.device.endInterruption(shouldResume: true)
            case .endInterruptionForGood: world.device.endInterruption(shouldResume: false)
            case .resetMediaServices: world.device.resetMediaServices()
            case .loseNetwork: try world.setNetwork(.broken)
            case .findNetwork: try world.setNetwork(Network(network))
            }
            try await Task.sleep(for: .seconds(seconds))
        }
    }
}
