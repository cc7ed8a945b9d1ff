import Foundation
import SeguePlayer
import Testing

/// Servers that replay the responses of others.
@MainActor @Suite struct RecordedServerTests {
    /// Returns the responses of a server with generated titles.
    private static func answers(_ paths: [String]) -> [(url: String, response: Server.Response)] {
        let server = Server.titles(duration: .seconds(12))
        return paths.map { ("https://cdn.example.com\($0)", server.response(to: "https://cdn.example.com\($0)")) }
    }

    private static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    @Test func `a browser's archive is replayed`() async throws {
        try await Self.withFolder { folder in
            let entries = Self.answers(["/film.m3u8", "/film/0.ts", "/film/1.ts"]).enumerated().map { index, answer in
                [
                    "startedDateTime": "2026-05-01T10:00:0\(index).250Z",
                    "request": ["method": "GET", "url": answer.url, "headers": []],
                    "response": [
                        "status": 200,
                        "headers": [
                            ["name": "Content-Type", "value": answer.response.headers["content-type"] ?? ""],
                            ["name": "Content-Encoding", "value": "gzip"], ["name": "Content-Length", "value": "17"],
                        ],
                        "content": ["text": Data(answer.response.body).base64EncodedString(), "encoding": "base64"],
                    ],
                ] as [String: Any]
            }
            let archive = folder.appendingPathComponent("session.har")
            try JSONSerialization.data(withJSONObject: ["log": ["version": "1.2", "entries": entries]]).write(
                to: archive
            )
            try await withWorld(server: .recorded(archive.path)) { world in
                let item = PlayerItem(url: "https://cdn.example.com/film.m3u8")
                world.player.insert(item)
                world.player.play()
                try await Task.sleep(for: .seconds(30))
                #expect(world.report.played == .seconds(12) && item.error == nil, "\(world.troubles)")
            }
        }
    }

    @Test func `a live stream progresses as it did`() async throws {
        try await Self.withFolder { folder in
            let bodies = folder.appendingPathComponent("bodies")
            try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
            let segment = Server.titles().response(to: "http://s/film/0.ts").body
            var lines: [String] = []
            // One more segment every six seconds, of which three are listed.
            for number in 0..<10 {
                let list = (number..<number + 3).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
                let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(number)\n" + list
                try Data(text.utf8).write(to: bodies.appendingPathComponent("\(number).m3u8"))
                lines.append(
                    #"{"at": \#(number * 6), "method": "GET", "url": "http://s/live.m3u8", "status": 200, "#
                        + #""headers": [], "body": "\#(number).m3u8", "bytes": \#(text.utf8.count)}"#
                )
                try Data(segment).write(to: bodies.appendingPathComponent("\(number).ts"))
                lines.append(
                    #"{"at": \#(number * 6), "method": "GET", "url": "http://s/\#(number).ts", "status": 200, "#
                        + #""headers": [], "body": "\#(number).ts", "bytes": \#(segment.count)}"#
                )
            }
            let text = lines.joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: folder.appendingPathComponent("recording.jsonl"))
            try await withWorld(server: .recorded(folder.path)) { world in
                let item = PlayerItem(url: "http://s/live.m3u8")
                world.player.insert(item)
                world.player.play()
                try await Task.sleep(for: .seconds(40))
                #expect(item.duration == nil && world.report.played > .seconds(20), "\(world.troubles)")
                #expect(world.log.contains("http://s/5.ts") && !world.log.contains("http://s/9.ts"))
            }
        }
    }

    @Test func `a recording with a path out of its folder is not followed`() async throws {
        try await Self.withFolder { folder in
            try Data("secret".utf8).write(to: folder.appendingPathComponent("secret"))
            let recording = folder.appendingPathComponent("recording")
            let bodies = recording.appendingPathComponent("bodies")
            try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
            let line =
                #"{"at":0,"method":"GET","url":"http://s/a.m3u8","status":200,"headers":[],"body":"../../secret","bytes":6}"#
            try Data(line.utf8).write(to: recording.appendingPathComponent("recording.jsonl"))
            #expect(try Server.recorded(recording.path).response(to: "http://s/a.m3u8").status == 404)
        }
    }

    @Test(arguments: [
        ("recording.jsonl", "{\"at\": 1}\n", "line 1"), ("a.har", "{}", "log"),
        ("a.har", #"{"log": {"entries": []}}"#, "no response bodies"),
    ]) func `an unreadable recording is an error of one line`(name: String, text: String, expected: String) async throws
    {
        try await Self.withFolder { folder in
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            let error = #expect(throws: (any Error).self) {
                try Server.recorded(name.hasSuffix(".har") ? file.path : folder.path)
            }
            #expect("\(try #require(error))".contains(expected))
        }
    }
}
