import SeguePlayer
import Testing

/// The player behaves according to AVFoundation's documentation of members with the same names.
@MainActor @Suite struct QueuePlayerTests {
    private static let minute = Server.titles(duration: .seconds(60))

    /// Returns a name for a notification, with its object.
    private static func word(_ news: PlayerNotification) -> String {
        switch news {
        case .itemReadyToPlay(let item): "ready \(item.url.suffix(6))"
        case .itemFailed(let item): "failed \(item.url.suffix(6))"
        case .itemDidPlayToEndTime(let item): "end \(item.url.suffix(6))"
        case .itemFailedToPlayToEndTime(let item): "failed to play \(item.url.suffix(6))"
        case .itemPlaybackStalled(let item): "stalled \(item.url.suffix(6))"
        case .itemTimeJumped(let item): "jumped \(item.url.suffix(6))"
        case .currentItemChanged(let item): "current \(item?.url.suffix(6) ?? "none")"
        case .timeControlStatusChanged(let status): "\(status)"
        }
    }

    @Test func `an item is in the queue once, and may return`() async throws {
        try await withWorld(platform: "ios-26.4", server: Self.minute) { world in
            let first = PlayerItem(url: "http://s/a.m3u8"), second = PlayerItem(url: "http://s/b.m3u8")
            #expect(world.player.insert(first) && world.player.insert(second))
            // Replacing the current item with itself changes nothing.
            world.player.replaceCurrentItem(with: first)
            #expect(world.broken.isEmpty && world.player.items.count == 2)
            #expect(!world.player.insert(second))
            #expect(world.broken.map(\.rule) == ["exception"])
            world.player.advanceToNextItem()
            #expect(world.player.insert(first, after: second))
            #expect(world.player.items.map(\.url) == [second.url, first.url])
            let other = try World(platform: "ios-26.4")
            #expect(!other.player.insert(first) && other.player.items.isEmpty)
        }
    }

    @Test func `two items play in turn`() async throws {
        try await withWorld(platform: "ios-26.4", server: Self.minute) { world in
            let first = PlayerItem(url: "http://s/a.m3u8"), second = PlayerItem(url: "http://s/b.m3u8")
            var heard: [String] = []
            let observation = world.player.observe { heard.append(Self.word($0)) }
            #expect(world.player.insert(first) && world.player.insert(second))
            #expect(!world.player.insert(first))
            #expect(world.player.items.map(\.url) == [first.url, second.url])
            #expect(first.status == .unknown && first.duration == nil)
            world.player.play()
            #expect(world.player.rate == 1)
            #expect(world.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
            try await Task.sleep(for: .seconds(30))
            #expect(first.status == .readyToPlay && first.duration == .seconds(60) && first.hasVideo == true)
            #expect(world.player.timeControlStatus == .playing && world.player.reasonForWaitingToPlay == nil)
            #expect(world.player.currentTime > .seconds(28) && world.player.currentTime < .seconds(30))
            try await Task.sleep(for: .seconds(120))
            #expect(world.player.currentItem == nil)
            // The second item is preloaded before the first has ended.
            let expected = [
                "current a.m3u8", "ready a.m3u8", "playing", "ready b.m3u8", "end a.m3u8", "current b.m3u8",
                "end b.m3u8", "current none",
            ]
            #expect(heard.filter { !$0.hasPrefix("waiting") && !$0.hasPrefix("jumped") } == expected)
            observation.cancel()
            #expect(world.report.heard == .seconds(120) && world.report.stalls == 0)
        }
    }

    @Test func `a seek ends at its target unless another replaces it`() async throws {
        try await withWorld(server: Self.minute) { world in
            world.player.insert(PlayerItem(url: "http://s/a.m3u8"))
            try await Task.sleep(for: .seconds(5))
            #expect(await world.player.seek(to: .seconds(42)))
            #expect(world.player.currentTime == .seconds(42))
            async let displaced = world.player.seek(to: .seconds(10))
            async let last = world.player.seek(to: .seconds(20))
            let landed = await (displaced, last)
            #expect(landed == (false, true))
            #expect(world.player.currentTime == .seconds(20))
            world.player.removeAllItems()
            #expect(await !world.player.seek(to: .seconds(1)))
        }
    }

    @Test func `another item replaces the current one`() async throws {
        try await withWorld(server: Self.minute) { world in
            world.player.replaceCurrentItem(with: PlayerItem(url: "http://s/a.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(10))
            let other = PlayerItem(url: "http://s/sound.m3u8", startingAt: .seconds(30))
            world.player.replaceCurrentItem(with: other)
            #expect(world.player.currentItem === other && world.player.rate == 1)
            try await Task.sleep(for: .seconds(5))
            #expect(other.hasVideo == false && world.player.currentTime > .seconds(33))
            world.player.replaceCurrentItem(with: nil)
            #expect(world.player.items.isEmpty)
        }
    }

    @Test func `a missing item fails with one line`() async throws {
        try await withWorld(server: Server { _ in .notFound }) { world in
            let item = PlayerItem(url: "http://s/a.m3u8")
            world.player.insert(item)
            world.player.play()
            try await Task.sleep(for: .seconds(120))
            #expect(item.status == .failed)
            #expect(item.error?.contains("404") == true && item.error?.contains("\n") == false)
            #expect(world.errorLog.contains("404"))
        }
    }

    @Test func `playback stalls at an unavailable segment and resumes`() async throws {
        let slow = Self.minute.changing { request in
            guard request.path.hasSuffix("/5.ts") else { return nil }
            return Server.Response(status: 503)
        }
        try await withWorld(network: .wifi, server: slow) { world in
            var stalls = 0
            let observation = world.player.observe { if case .itemPlaybackStalled = $0 { stalls += 1 } }
            world.player.insert(PlayerItem(url: "http://s/a.m3u8"))
            world.player.play()
            try await Task.sleep(for: .seconds(300))
            #expect(stalls >= 1 && world.report.stalls == stalls)
            #expect(world.report.heard == .seconds(30))
            observation.cancel()
        }
    }

    @Test func `time observers follow the item's time`() async throws {
        try await withWorld(server: Self.minute) { world in
            var places: [Duration] = [], boundaries: [Duration] = []
            world.player.insert(PlayerItem(url: "http://s/a.m3u8"))
            try await Task.sleep(for: .seconds(5))
            let periodic = world.player.addPeriodicTimeObserver(forInterval: .seconds(10)) { places.append($0) }
            let boundary = world.player.addBoundaryTimeObserver(forTimes: [.seconds(15), .seconds(45)]) {
                boundaries.append(world.player.currentTime)
            }
            world.player.play()
            try await Task.sleep(for: .seconds(25))
            world.player.pause()
            try await Task.sleep(for: .seconds(100))
            #expect(places.filter { $0.components.seconds % 10 == 0 && $0 > .zero } == [.seconds(10), .seconds(20)])
            #expect(boundaries == [.seconds(15)])
            await world.player.seek(to: .seconds(40))
            periodic.cancel()
            world.player.play()
            try await Task.sleep(for: .seconds(15))
            #expect(boundaries == [.seconds(15), .seconds(45)])
            #expect(places.allSatisfy { $0 <= .seconds(40) })
            boundary.cancel()
        }
    }
}
