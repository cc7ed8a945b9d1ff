import SeguePlayer
import Testing

/// What a user wished, held against what was heard.
@MainActor @Suite struct BrokenRuleTests {
    private static let film = "http://server/film.m3u8", sound = "http://server/sound.m3u8"

    /// Plays the sound alone for ten seconds, and then what happens for a minute.
    private func broken(
        platform: String = "ios-15",
        network: Network = .wifi,
        url: String = sound,
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

    @Test func nothingIsWhenTheAppDoesAsItIsTold() async throws {
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

    @Test func silenceIsForAnAppThatDoesNotPlay() async throws {
        #expect(try await broken { $0.player.pause() } == ["silent"])
        #expect(try await broken { _ in } == [])
    }

    @Test func silenceIsNotWhileACallGoesOn() async throws {
        #expect(try await broken { $0.device.interrupt() } == [])
        let rules = try await broken { world in
            world.device.interrupt()
            try await Task.sleep(for: .seconds(5))
            world.device.endInterruption(shouldResume: true)
        }
        #expect(rules == ["silent"])
    }

    @Test func silenceIsNotBlamedOnAnAppWhoseNetworkIsGone() async throws {
        let gone = Network.yaml("{ name: gone, down: { rate: 1 kbit/s }, up: { rate: 1 kbit/s } }")
        #expect(try await broken(network: gone) { _ in } == [])
    }

    @Test func soundIsWhenTheUserPaused() async throws {
        let rules = try await broken { world in
            world.user.does(.pause) { world.player.pause() }
            try await Task.sleep(for: .seconds(5))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func soundIsOnceTheUserEndedWhatPlayed() async throws {
        #expect(try await broken { world in world.user.does(.stop) { world.player.removeAllItems() } } == [])
        let rules = try await broken { world in
            world.user.does(.stop) { world.player.removeAllItems() }
            try await Task.sleep(for: .seconds(5))
            world.player.insert(PlayerItem(url: Self.sound))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func soundIsOnceTheHeadphonesAreOut() async throws {
        let rules = try await broken { world in
            world.device.change(to: .headphones)
            try await Task.sleep(for: .seconds(1))
            world.device.change(to: .speaker)
            try await Task.sleep(for: .seconds(1))
            world.player.play()
        }
        #expect(rules == ["unwished"])
    }

    @Test func aSeekIsThatComesToNothing() async throws {
        #expect(try await broken { $0.user.does(.seek(to: .seconds(300))) {} } == ["lost-seek"])
        // Behind the end nothing is heard.
        #expect(try await broken { $0.user.does(.seek(to: .seconds(599))) {} } == [])
    }

    @Test func aJumpIsThatNobodyAskedFor() async throws {
        #expect(try await broken { _ = await $0.player.seek(to: .seconds(400)) } == ["jump"])
    }

    @Test func aJumpIsNotWhereTheUserGoesBackAndTheRateChangesJustThen() async throws {
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

    @Test func aRateIsThatTheAppForgot() async throws {
        #expect(try await broken { $0.user.does(.rate(2)) {} } == ["rate"])
    }

    @Test func aRejectedItemIs() async throws {
        let rules = try await broken(platform: "ios-4.3", network: .cellular3G, url: Self.film) { world in
            world.device.goHome()
            try await Task.sleep(for: .seconds(2))
            world.player.replaceCurrentItem(with: PlayerItem(url: Self.sound))
            world.player.play()
        }
        #expect(rules.first == "rejected")
    }

    @Test func theBackgroundIsWhereAFilmIsPaused() async throws {
        #expect(try await broken(platform: "ios-4.3", url: Self.film) { $0.device.goHome() } == ["background"])
    }

    @Test func aTaskIsThatIsLeftOpen() async throws {
        #expect(try await broken { $0.device.beginBackgroundTask() } == ["task"])
        let rules = try await broken { world in
            world.device.beginBackgroundTask()
            try await Task.sleep(for: .seconds(30))
            world.device.endBackgroundTask()
        }
        #expect(rules == [])
    }

    @Test func aTaskMayBeHeldUntilItsTimeIsOver() async throws {
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

    @Test func aStormIsOfItemsThatAreMadeWithoutAPause() async throws {
        let rules = try await broken { world in
            for _ in 0..<25 { world.player.insert(PlayerItem(url: Self.sound)) }
        }
        #expect(rules == ["storm"])
    }

    @Test func anItemIsThatIsInsertedTwice() async throws {
        let rules = try await broken { world in
            if let item = world.player.currentItem { #expect(!world.player.insert(item)) }
        }
        #expect(rules == ["exception"])
    }

    @Test func whatWasFoundTellsWhenAndWhat() async throws {
        let found = try await withWorld(platform: "ios-15") { world in
            world.player.insert(PlayerItem(url: Self.sound))
            world.user.does(.play) { world.player.play() }
            try await Task.sleep(for: .seconds(10))
            world.user.does(.seek(to: .seconds(300))) {}
            try await Task.sleep(for: .seconds(20))
            return "\(world.broken)"
        }
        // Its sound began 265 ms after play.
        #expect(found == "[20 s, lost-seek: item-1 is playing at 19.735 s, expected 300 s after the user's seek]")
    }
}
