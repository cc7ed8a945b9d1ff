import SeguePlayer
import Testing

/// The user's actions, compared with the audio.
@MainActor @Suite struct BrokenRuleTests {
    private static let film = "http://server/film.m3u8", audio = "http://server/sound.m3u8"

    /// Plays audio for ten seconds, and then runs the events for a minute.
    private func broken(
        platform: String = "ios-15",
        network: Network = .wifi,
        url: String = audio,
        _ happens: @escaping @MainActor (World) async throws -> Void
    ) async throws -> [String] {
        try await withWorld(platform: platform, network: network) { world in
            world.player.insert(PlayerItem(url: url))
            world.user.does(.play) { world.player.play() }
            try await Task.sleep(for: .seconds(10))
            try await happens(world)
            try await Task.sleep(for: .seconds(60))
            return world.broken.map(\.rule)
        }
    }

    @Test func `an obedient app breaks no rule`() async throws {
        let rules = try await broken { world in
            let seek = world.user.does(.seek(to: .seconds(200))) { Task { await world.player.seek(to: .seconds(200)) } }
            #expect(await seek.value)
            try await Task.sleep(for: .seconds(20))
            world.user.does(.pause) { world.player.pause() }
            try await Task.sleep(for: .seconds(60))
            world.user.does(.play) { world.player.play() }
            world.user.does(.rate(1.5)) { world.player.rate = 1.5 }
            world.device.goHome()
        }
        #expect(rules == [])
    }

    @Test func `an app that does not play breaks the rule silent`() async throws {
        #expect(try await broken { $0.player.pause() } == ["silent"])
        #expect(try await broken { _ in } == [])
    }

    @Test func `silence during a call breaks no rule`() async throws {
        #expect(try await broken { $0.device.interrupt() } == [])
        let rules = try await broken { world in
            world.device.interrupt()
            try await Task.sleep(for: .seconds(5))
            world.device.endInterruption(shouldResume: true)
        }
        #expect(rules == ["silent"])
    }

    @Test func `silence without a network breaks no rule`() async throws {
        let gone = Network.yaml("{ name: gone, down: { rate: 1 kbit/s }, up: { rate: 1 kbit/s } }")
        #expect(try await broken(network: gone) { _ in } == [])
    }

    @Test func `audio after a pause by the user breaks the rule unwished`() async throws {
        let rules = try await broken { world in
            world.user.does(.pause) { world.player.pause() }
            try await Task.sleep(for: .seconds(5))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func `audio after a stop by the user breaks the rule unwished`() async throws {
        #expect(try await broken { world in world.user.does(.stop) { world.player.removeAllItems() } } == [])
        let rules = try await broken { world in
            world.user.does(.stop) { world.player.removeAllItems() }
            try await Task.sleep(for: .seconds(5))
            world.player.insert(PlayerItem(url: Self.audio))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func `audio after headphones are unplugged breaks the rule unwished`() async throws {
        let rules = try await broken { world in
            world.device.change(to: .headphones)
            try await Task.sleep(for: .seconds(1))
            world.device.change(to: .speaker)
            try await Task.sleep(for: .seconds(1))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func `a seek without effect breaks the rule lost-seek`() async throws {
        #expect(try await broken { $0.user.does(.seek(to: .seconds(300))) {} } == ["lost-seek"])
        // After the end, there is no audio.
        #expect(try await broken { $0.user.does(.seek(to: .seconds(599))) {} } == [])
    }

    @Test func `a seek without a request breaks the rule jump`() async throws {
        #expect(try await broken { _ = await $0.player.seek(to: .seconds(400)) } == ["jump"])
    }

    @Test func `going back while the rate changes breaks no rule`() async throws {
        let rules = try await broken { world in
            try await Task.sleep(for: .seconds(60))
            world.user.does(.previous) {
                Task {
                    try? await Task.sleep(for: .milliseconds(200))
                    await world.player.seek(to: .zero)
                }
            }
            world.user.does(.rate(2)) { world.player.rate = 2 }
        }
        #expect(rules == [])
    }

    @Test func `an ignored rate breaks the rule rate`() async throws {
        #expect(try await broken { $0.user.does(.rate(2)) {} } == ["rate"])
    }

    @Test func `a rejected item breaks the rule rejected`() async throws {
        let rules = try await broken(platform: "ios-4.3", network: .cellular3G, url: Self.film) { world in
            world.device.goHome()
            try await Task.sleep(for: .seconds(2))
            world.player.replaceCurrentItem(with: PlayerItem(url: Self.audio))
            world.player.play()
        }
        #expect(rules.first == "rejected")
    }

    @Test func `a film paused in the background breaks the rule background`() async throws {
        #expect(try await broken(platform: "ios-4.3", url: Self.film) { $0.device.goHome() } == ["background"])
    }

    @Test func `a background task left open breaks the rule task`() async throws {
        #expect(try await broken { $0.device.beginBackgroundTask() } == ["task"])
        let rules = try await broken { world in
            world.device.beginBackgroundTask()
            try await Task.sleep(for: .seconds(30))
            world.device.endBackgroundTask()
        }
        #expect(rules == [])
    }

    @Test func `a background task may last until it expires`() async throws {
        for ends in [true, false] {
            let rules = try await broken { world in
                world.device.beginBackgroundTask()
                let observation = world.device.observe { news in
                    if news == .backgroundTaskExpired, ends { world.device.endBackgroundTask() }
                }
                world.device.goHome()
                try await Task.sleep(for: .seconds(1))
                world.user.does(.pause) { world.player.pause() }
                try await Task.sleep(for: .seconds(60))
                withExtendedLifetime(observation) {}
            }
            #expect(rules == (ends ? [] : ["task"]))
        }
    }

    @Test func `many items in an instant break the rule storm`() async throws {
        let rules = try await broken { world in
            for _ in 0..<25 { world.player.insert(PlayerItem(url: Self.audio)) }
        }
        #expect(rules == ["storm"])
    }

    @Test func `inserting an item twice breaks the rule exception`() async throws {
        let rules = try await broken { world in
            if let item = world.player.currentItem { #expect(!world.player.insert(item)) }
        }
        #expect(rules == ["exception"])
    }

    @Test func `a finding states its time and its cause`() async throws {
        let found = try await withWorld(platform: "ios-15") { world in
            world.player.insert(PlayerItem(url: Self.audio))
            world.user.does(.play) { world.player.play() }
            try await Task.sleep(for: .seconds(10))
            world.user.does(.seek(to: .seconds(300))) {}
            try await Task.sleep(for: .seconds(20))
            return "\(world.broken)"
        }
        // Its audio began 265 ms after play.
        #expect(found == "[20 s, lost-seek: item-1 is playing at 19.735 s, expected 300 s after the user's seek]")
    }
}
