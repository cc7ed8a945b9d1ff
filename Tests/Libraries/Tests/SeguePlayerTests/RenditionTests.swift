import SeguePlayer
import Testing

/// Switches of an app between renditions of a title.
@MainActor @Suite struct RenditionTests {
    private static let minute = Server.titles(duration: .seconds(60))

    @Test func `a following item continues at the current position`() async throws {
        try await withWorld(platform: "ios-15", server: Self.minute) { world in
            let film = PlayerItem(url: "http://s/film.m3u8"), audio = PlayerItem(url: "http://s/film/sound.m3u8")
            world.player.insert(film)
            world.player.play()
            try await Task.sleep(for: .seconds(5))
            #expect(world.player.insert(audio, following: film))
            try await Task.sleep(for: .seconds(20))
            try world.setNetwork(.broken)
            let place = world.player.currentTime
            world.player.advanceToNextItem()
            #expect(world.player.currentItem === audio && world.player.currentTime == place)
            try await Task.sleep(for: .seconds(5))
            #expect(world.player.currentTime > place + .seconds(3))
        }
    }

    @Test func `a following item leaves the queue with the item it follows`() async throws {
        try await withWorld(platform: "ios-15", server: Self.minute) { world in
            let one = PlayerItem(url: "http://s/one.m3u8"), two = PlayerItem(url: "http://s/two.m3u8")
            world.player.insert(one)
            world.player.insert(two)
            world.player.insert(PlayerItem(url: "http://s/one/sound.m3u8"), following: one)
            #expect(world.player.items.count == 3)
            world.player.play()
            try await Task.sleep(for: .seconds(65))
            #expect(world.player.items.map(\.url) == [two.url])
            world.player.insert(PlayerItem(url: "http://s/two/sound.m3u8"), following: two)
            world.player.replaceCurrentItem(with: PlayerItem(url: "http://s/three.m3u8"))
            #expect(world.player.items.map(\.url) == ["http://s/three.m3u8"])
        }
    }

    @Test func `a multivariant stream without its video loads only audio`() async throws {
        try await withWorld(platform: "ios-15", server: Self.minute) { world in
            world.player.insert(PlayerItem(url: "http://s/film/multivariant.m3u8"))
            #expect(world.player.loadsVideo)
            world.player.loadsVideo = false
            #expect(!world.player.loadsVideo)
            world.player.play()
            try await Task.sleep(for: .seconds(20))
            #expect(world.report.heard > .seconds(15))
            #expect(world.log.contains("film/audio/2.ts") && !world.log.contains("film/video/2.ts"))
            world.player.loadsVideo = true
            try await Task.sleep(for: .seconds(30))
            #expect(world.log.contains("film/video/7.ts"))
        }
    }

    @Test func `an item starts exactly or at a segment boundary`() async throws {
        try await withWorld(platform: "ios-15", server: Self.minute) { world in
            for (isExact, place) in [(true, Duration.seconds(20)), (false, .seconds(18))] {
                let item = PlayerItem(url: "http://s/film.m3u8", startingAt: .seconds(20), exactly: isExact)
                world.player.replaceCurrentItem(with: item)
                try await Task.sleep(for: .seconds(5))
                #expect(world.player.currentTime == place)
            }
        }
    }

    @Test func `an item reports whether the platform rejected it`() async throws {
        try await withWorld(platform: "ios-15", server: Self.minute) { world in
            let item = PlayerItem(url: "http://s/film.m3u8")
            world.player.insert(item)
            try await Task.sleep(for: .seconds(5))
            #expect(!item.isRejected)
            world.device.resetMediaServices()
            #expect(item.status == .failed && item.isRejected)
        }
        try await withWorld(server: Server { _ in .notFound }) { world in
            let item = PlayerItem(url: "http://s/film.m3u8")
            world.player.insert(item)
            try await Task.sleep(for: .seconds(60))
            #expect(item.status == .failed && !item.isRejected)
        }
    }

    /// The article: a movie player created soon after another was torn down fails, from 4.2 on.
    @Test(arguments: [("ios-4.0", false), ("ios-4.3", true)])
    func `another item of a movie player is another player`(platform: String, fails: Bool) async throws {
        try await withWorld(platform: platform, server: Self.minute, app: App(player: .movie)) { world in
            world.player.insert(PlayerItem(url: "http://s/one.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(10))
            let other = PlayerItem(url: "http://s/two.m3u8")
            world.player.replaceCurrentItem(with: other)
            try await Task.sleep(for: .seconds(10))
            #expect(other.isRejected == fails)
        }
    }
}
