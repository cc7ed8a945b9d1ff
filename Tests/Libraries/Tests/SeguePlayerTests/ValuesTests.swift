import SeguePlayer
import Testing

/// Observed properties, and the buffer and logs of an item.
@MainActor @Suite struct ValuesTests {
    private static let minute = Server.titles(duration: .seconds(60))

    @Test func `a status is reported before a player accepts the item`() async throws {
        try await withWorld(server: Self.minute) { world in
            let item = PlayerItem(url: "http://s/a.m3u8")
            var told: [PlayerItem.Status] = []
            let observation = item.observe(\.status) { told.append($0) }
            let statuses = item.values(of: \.status)
            let listener = Task { @MainActor in
                var seen: [PlayerItem.Status] = []
                for await status in statuses {
                    seen.append(status)
                    if status == .readyToPlay { break }
                }
                return seen
            }
            world.player.insert(item)
            try await Task.sleep(for: .seconds(10))
            #expect(told == [.readyToPlay])
            #expect(await listener.value == [.unknown, .readyToPlay])
            observation.cancel()
        }
    }

    @Test func `a change by a call is reported before it returns`() async throws {
        try await withWorld(server: Self.minute) { world in
            world.player.insert(PlayerItem(url: "http://s/a.m3u8"))
            var told: [String] = []
            let observation = world.player.observe(\.timeControlStatus) { told.append("\($0)") }
            world.player.play()
            #expect(told == ["waitingToPlayAtSpecifiedRate"])
            try await Task.sleep(for: .seconds(10))
            world.player.pause()
            #expect(told == ["waitingToPlayAtSpecifiedRate", "playing", "paused"])
            observation.cancel()
            world.player.play()
            #expect(told.count == 3)
        }
    }

    @Test func `an observer may call the player`() async throws {
        try await withWorld(server: Self.minute) { world in
            world.player.insert(PlayerItem(url: "http://s/a.m3u8"))
            var statuses: [String] = []
            let first = world.player.observe(\.rate) { if $0 == 1 { world.player.rate = 2 } }
            let second = world.player.observe(\.rate) { statuses.append("\($0)") }
            world.player.play()
            #expect(world.player.rate == 2)
            #expect(statuses == ["2.0"])
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func `a suspended app is notified when it resumes`() async throws {
        try await withWorld(platform: "ios-4.3", network: "3g", server: Self.minute) { world in
            let item = PlayerItem(url: "http://s/sound.m3u8")
            world.device.goHome()
            try await Task.sleep(for: .seconds(30))
            var told = 0
            let observation = world.player.observe(\.rate) { _ in told += 1 }
            world.player.insert(item)
            world.player.play()
            #expect(told == 0)
            world.device.comeBack()
            try await Task.sleep(for: .seconds(5))
            #expect(told == 1)
            withExtendedLifetime(observation) {}
        }
    }

    @Test func `the buffer and the seekable range are ranges`() async throws {
        try await withWorld(server: Self.minute) { world in
            let item = PlayerItem(url: "http://s/a.m3u8")
            #expect(item.loadedTimeRanges.isEmpty && item.seekableTimeRanges.isEmpty)
            world.player.insert(item)
            try await Task.sleep(for: .seconds(10))
            #expect(item.seekableTimeRanges == [.zero..<(.seconds(60))])
            #expect(item.loadedTimeRanges.first?.lowerBound == .zero)
            #expect((item.loadedTimeRanges.first?.upperBound ?? .zero) >= .seconds(6))
            await world.player.seek(to: .seconds(50))
            #expect(item.loadedTimeRanges.first.map { $0.lowerBound == .seconds(50) } ?? true)
        }
    }

    @Test func `the access log has an event for each seek and stall`() async throws {
        try await withWorld(network: "lan", server: Self.minute) { world in
            let item = PlayerItem(url: "http://s/a.m3u8")
            #expect(item.accessLog.isEmpty && item.errorLog.isEmpty)
            world.player.insert(item)
            world.player.play()
            try await Task.sleep(for: .seconds(10))
            let watched = try #require(item.accessLog.first).durationWatched
            #expect(watched > .seconds(8) && watched < .seconds(10))
            await world.player.seek(to: .seconds(40))
            try await Task.sleep(for: .seconds(30))
            let log = item.accessLog
            #expect(log.count == 2)
            // Ten complete segments of 400 kbit/s, besides the playlist.
            #expect(log.map(\.numberOfMediaRequests).reduce(0, +) >= 10)
            #expect(log.map(\.numberOfBytesTransferred).reduce(0, +) == world.report.bytes)
            #expect(log.map(\.durationWatched).reduce(.zero, +) == world.report.played)
            #expect(log[0].startupTime == world.report.startup && log[1].startupTime == nil)
            #expect(log[0].serverAddress == "s" && log[0].uri == "http://s/a.m3u8")
            #expect((log[0].observedBitrate ?? 0) > 400_000 && log[0].indicatedBitrate == nil)
        }
    }

    @Test func `the error log describes each error`() async throws {
        try await withWorld(server: Self.minute) { world in
            world.plant(.status(503).meeting(path: "*/1.ts"))
            let item = PlayerItem(url: "http://s/a.m3u8")
            world.player.insert(item)
            world.player.play()
            try await Task.sleep(for: .seconds(30))
            let error = try #require(item.errorLog.first)
            #expect(error.status == 503 && error.errorDomain == "CoreMediaErrorDomain" && error.errorCode == -12661)
            #expect(error.uri == "http://s/a/1.ts" && error.date > .zero)
        }
    }

    @Test(arguments: [("ios-15", "NSURLErrorDomain", -1100), ("desktop", "HTTP", 404)])
    func `a failed item has the domain and code of its platform`(platform: String, domain: String, code: Int)
        async throws
    {
        try await withWorld(platform: platform, server: Server { _ in .notFound }) { world in
            let item = PlayerItem(url: "http://s/a.m3u8")
            #expect(item.errorDomain == nil && item.errorCode == nil)
            world.player.insert(item)
            try await Task.sleep(for: .seconds(30))
            #expect(item.errorDomain == domain && item.errorCode == code)
        }
    }

    @Test func `a server without byte ranges fails a film, and an AirPlay receiver sends no header fields`()
        async throws
    {
        let playlists = Self.minute
        let film = Server { request in
            if request.path.hasSuffix(".mp4") {
                let body = [0, 0, 0, 16] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 1000)
                let headers = ["accept-ranges": "none", "content-length": "\(body.count)"]
                return Server.Response(headers: headers, body: body)
            }
            return request.headers["cookie"] == nil
                ? Server.Response(status: 403) : playlists.response(to: request.url)
        }
        try await withWorld(platform: "ios-15", server: film) { world in
            let item = PlayerItem(url: "http://s/film.mp4")
            world.player.insert(item)
            try await Task.sleep(for: .seconds(10))
            #expect(item.errorDomain == "AVFoundationErrorDomain" && item.errorCode == -11850)
            world.player.removeAllItems()
            let other = PlayerItem(url: "http://s/a.m3u8", headers: ["Cookie": "token=1"])
            world.player.insert(other)
            world.player.play()
            try await Task.sleep(for: .seconds(20))
            #expect(other.status == .readyToPlay && world.player.timeControlStatus == .playing)
            world.device.change(to: .airplay)
            try await Task.sleep(for: .seconds(20))
            #expect(other.errorCode == -11800)
        }
    }
}
