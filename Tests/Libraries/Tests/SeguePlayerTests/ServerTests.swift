import Foundation
import SeguePlayer
import Testing

/// The responses of a world's server.
@MainActor @Suite struct ServerTests {
    @Test func `a folder is served, and nothing outside of it`() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let served = folder.appendingPathComponent("served")
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n../secret.ts\n#EXT-X-ENDLIST\n"
        try Data(playlist.utf8).write(to: served.appendingPathComponent("film.m3u8"))
        try Data(repeating: 0x47, count: 1880).write(to: folder.appendingPathComponent("secret.ts"))
        try await withWorld(server: .folder(served.path)) { world in
            for url in ["http://s/film.m3u8", "http://s/%2e%2e/secret.ts", "http://s/nothing.m3u8"] {
                let item = PlayerItem(url: url)
                world.player.replaceCurrentItem(with: item)
                world.player.play()
                try await Task.sleep(for: .seconds(200))
                #expect(item.error?.contains("404") == true, "\(url): \(item.error ?? "no error")")
            }
        }
    }

    @Test func `generated titles have any duration and bit rate`() async throws {
        let server = Server.titles(duration: .seconds(20), segment: .seconds(7), bitrate: 800_000, audioBitrate: 64_000)
        for (url, bytes) in [("http://s/film.m3u8", 2_000_000), ("http://s/audio.m3u8", 160_000)] {
            try await withWorld(server: server) { world in
                let item = PlayerItem(url: url)
                world.player.insert(item)
                world.player.play()
                try await Task.sleep(for: .seconds(30))
                #expect(item.duration == .seconds(20) && world.report.heard == .seconds(20))
                #expect(world.report.bytes > bytes - 2000 && world.report.bytes < bytes + 2000)
            }
        }
    }

    @Test func `a response may be delayed`() async throws {
        let server = Server.titles().changing { request in
            request.path.hasSuffix(".m3u8") ? Server.Response(status: 404, delay: .seconds(3)) : nil
        }
        try await withWorld(network: "lan", server: server) { world in
            let item = PlayerItem(url: "http://s/film.m3u8")
            world.player.insert(item)
            try await Task.sleep(for: .seconds(2))
            #expect(item.error == nil)
            try await Task.sleep(for: .seconds(2))
            #expect(item.error != nil)
        }
    }
}
