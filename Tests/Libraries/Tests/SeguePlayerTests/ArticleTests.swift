import SeguePlayer
import Testing

/// The article's bug, in a custom app: background audio that works on Wi-Fi and fails on 3G.
@MainActor @Suite struct ArticleTests {
    /// Switches to audio only when the app leaves the screen, and plays immediately.
    @MainActor private final class PlaysAtOnce {
        let world: World
        private var wasPlaying = false

        init(_ world: World) { self.world = world }

        func run() {
            world.player.insert(PlayerItem(url: "http://server/film.m3u8"))
            world.player.play()
            Task {
                for await news in world.device.notifications {
                    switch news {
                    case .willResignActive: wasPlaying = world.player.rate != 0
                    case .didEnterBackground: if wasPlaying { switchToAudio() }
                    default: break
                    }
                }
            }
        }

        func switchToAudio() {
            let place = world.player.currentTime
            world.player.replaceCurrentItem(with: PlayerItem(url: "http://server/sound.m3u8", startingAt: place))
            world.player.play()
        }
    }

    private func background(on network: Network, seed: UInt64 = 0) async throws -> Report {
        try await withWorld(platform: "ios-4.3", network: network, seed: seed) { world in
            let app = PlaysAtOnce(world)
            app.run()
            try await Task.sleep(for: .seconds(60))
            world.device.goHome()
            try await Task.sleep(for: .seconds(60))
            return world.report
        }
    }

    @Test func `the switch works on Wi-Fi`() async throws {
        let report = try await background(on: .wifi)
        #expect(report.background == .continues)
        #expect(report.heard > .seconds(100))
    }

    @Test func `the switch fails on 3G`() async throws {
        let report = try await background(on: .cellular3G)
        #expect(report.background == .rejected)
    }

    @Test func `gives the same log each time`() async throws {
        let first = try await background(on: .cellular3G)
        for _ in 0..<5 { #expect(try await background(on: .cellular3G) == first) }
    }
}
