import SeguePlayer
import Testing

/// The article's bug, found by a search that knows only the app's controls.
@MainActor @Suite struct ExploreArticleTests {
    /// An app that switches to audio as it leaves the screen.
    @MainActor private final class Radio {
        private let player: QueuePlayer, device: Device
        private var url = "http://server/film.m3u8"
        private var wasPlaying = false

        init(_ world: World) {
            (player, device) = (world.player, world.device)
            _ = device.observe { [weak self] in self?.take($0) }
            world.user.can(.play) { [weak self] in self?.play() }
        }

        private func play() {
            if player.items.isEmpty { player.insert(PlayerItem(url: url)) }
            player.play()
        }

        private func take(_ news: DeviceNotification) {
            if news == .willResignActive { wasPlaying = player.rate > 0 }
            if news == .didEnterBackground, wasPlaying {
                url = "http://server/film/sound.m3u8"
                player.replaceCurrentItem(with: PlayerItem(url: url, startingAt: player.currentTime))
                player.play()
            }
        }
    }

    @Test func `a search finds the bug and shrinks it`() async throws {
        let result = try await explore(platform: "ios-4.3", runs: 200, stopsAtFirst: false) { Radio($0) }
        let finding = try #require(result.findings.first { $0.rule == "rejected" }, "\(result)")
        #expect(finding.steps == 2)
        #expect(finding.test.contains("world.device.goHome()"))
        #expect(finding.explanation.contains("it breaks at"))
    }
}
