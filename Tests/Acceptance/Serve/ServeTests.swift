import Foundation
import SegueTestSupport
import Testing

@Suite struct `Serve` {
    @Test func `prints one line with the address and number of items, and ends on Control-C`() async throws {
        let code = try await Program.serving(AcceptanceMedia.folder.path) { served in
            #expect(served.line.contains(/^serving 2 items at http:\/\/127\.0\.0\.1:[0-9]+\/$/))
            let health = try await ServedFolder.status("\(served.address)health")
            #expect(health == "200")
        }
        #expect(code == 0)
    }

    @Test(arguments: [
        ("film", "", ["video", "audio"]), ("film", "?background=1", ["audio"]),
        ("film", "?container=ts", ["video", "audio"]), ("song", "?background=1", ["audio"]),
    ])
    func `ffmpeg reads all of it`(name: String, query: String, kinds: [String]) async throws {
        try await Program.serving(AcceptanceMedia.folder.path) { served in
            let url = "\(try await served.item(name))/index.m3u8\(query)"
            let entries = ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0"]
            let probe = try await Program.run("ffprobe", entries + [url])
            #expect(Set(probe.output.split(separator: "\n").map(String.init)) == Set(kinds))
            let decoded = try await Program.run("ffmpeg", ["-v", "error", "-xerror", "-i", url, "-f", "null", "-"])
            #expect(decoded.status == 0)
            #expect(decoded.errors.isEmpty)
        }
    }

    @Test func `a file that vanishes or changes while it is served harms nothing else`() async throws {
        let folder = try TestFolder()
        for name in ["film.mp4", "song.m4a"] {
            let source = URL(fileURLWithPath: try await AcceptanceMedia.folder.file(name))
            try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: folder.file(name)))
        }
        try await Program.serving(folder.path) { served in
            let film = try await served.item("film")
            let playlist = try await Program.run("curl", ["-s", "\(film)/index.m3u8"]).output
            let segment = try #require(playlist.split(separator: "\n").first { $0.hasSuffix(".m4s") })
            #expect(try await ServedFolder.status("\(film)/\(segment)") == "200")
            try FileManager.default.removeItem(atPath: folder.file("film.mp4"))
            #expect(try await ["404", "422"].contains(ServedFolder.status("\(film)/index.m3u8")))
            _ = try folder.write(Array("something else".utf8), to: "film.mp4")
            #expect(try await ["404", "422"].contains(ServedFolder.status("\(film)/\(segment)")))
            #expect(try await ServedFolder.status("\(film)/index.m3u8") == "422")
            #expect(try await ServedFolder.status("\(served.item("song"))/index.m3u8") == "200")
        }
    }

    @Test(arguments: ["../../etc/hostname", "%2e%2e/%2e%2e/etc/hostname", "..%2f..%2fetc/hostname", "%252e%252e/x"])
    func `a path outside the folder is refused`(path: String) async throws {
        try await Program.serving(AcceptanceMedia.folder.path) { served in
            for prefix in ["", "items/", "\(try await served.item("film"))/".replacing(served.address, with: "")] {
                #expect(try await ["400", "404"].contains(ServedFolder.status(served.address + prefix + path)))
            }
        }
    }
}
