import Foundation
import SegueFetch
import SegueRecord
import SegueTestSupport
import Synchronization
import Testing

@Suite struct StreamRecorderTests {
    /// The resources of a server, by target.
    private static let resources: [String: String] = [
        "/film/master.m3u8": """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",URI="sound/list.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=100000,AUDIO="a"
        low.m3u8?token=1
        #EXT-X-STREAM-INF:BANDWIDTH=200000,AUDIO="a"
        gone.m3u8
        """,
        "/film/low.m3u8?token=1": """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:6
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-KEY:METHOD=AES-128,URI="key.bin"
        #EXTINF:6,
        #EXT-X-BYTERANGE:10@0
        all.m4s
        #EXTINF:6,
        #EXT-X-BYTERANGE:10@10
        all.m4s
        #EXT-X-ENDLIST
        """,
        "/film/sound/list.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n../../other/0.aac\n#EXT-X-ENDLIST\n",
        "/film/init.mp4": "init", "/film/key.bin": "0123456789abcdef", "/film/all.m4s": "01234567890123456789",
        "/other/0.aac": "sound",
    ]

    private static func answer(_ text: String, status: String = "200 OK", more: String = "") -> [LoopbackServer.Step] {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: x/y\r\nContent-Length: \(text.utf8.count)\r\n\(more)\r\n"
        return [.send(Array((head + text).utf8))]
    }

    private static func serve(_ target: String) -> [LoopbackServer.Step] {
        if target == "/moved.m3u8" { return answer("", status: "302 Found", more: "Location: /film/master.m3u8\r\n") }
        return resources[target].map { answer($0) } ?? answer("nothing", status: "404 Not Found")
    }

    @Test func `every resource in the playlists is fetched once, and errors are recorded`() async throws {
        let asked = Mutex<[String]>([])
        let server = try LoopbackServer { target in
            asked.withLock { $0.append(target) }
            return Self.serve(target)
        }
        defer { server.stop() }
        let folder = try TestFolder()
        let base = "http://127.0.0.1:\(server.port)"
        try await StreamRecorder.record("\(base)/film/master.m3u8", into: folder.path)
        let expected = Set(Self.resources.keys).union(["/film/gone.m3u8"])
        #expect(asked.withLock { $0 }.sorted() == expected.sorted())
        let recorded = try RecordingFolder(folder.path)
        #expect(recorded.recording.count == expected.count && recorded.recording.entry == "\(base)/film/master.m3u8")
        for (target, text) in Self.resources {
            let exchange = try #require(recorded.recording.exchange(for: base + target, at: 0))
            #expect(recorded.body(of: exchange) == Array(text.utf8), "\(target)")
            #expect(exchange.status == 200 && exchange.headers.contains { $0.value == "x/y" })
        }
        #expect(recorded.recording.exchange(for: "\(base)/film/gone.m3u8", at: 0)?.status == 404)
    }

    @Test func `a redirect is recorded, and relative URLs are resolved against its target`() async throws {
        let server = try LoopbackServer { Self.serve($0) }
        defer { server.stop() }
        let folder = try TestFolder()
        let base = "http://127.0.0.1:\(server.port)"
        try await StreamRecorder.record("\(base)/moved.m3u8", into: folder.path)
        let recording = try RecordingFolder(folder.path).recording
        #expect(recording.exchange(for: "\(base)/moved.m3u8", at: 0)?.redirectedTo == "\(base)/film/master.m3u8")
        #expect(recording.exchange(for: "\(base)/film/all.m4s", at: 0) != nil)
    }

    @Test func `a live stream is followed as it grows`() async throws {
        let asked = Mutex(0)
        let server = try LoopbackServer { target in
            guard target == "/live.m3u8" else { return Self.answer("media of \(target)") }
            let number = asked.withLock { count in
                defer { count += 1 }
                return count
            }
            // It ends by itself, so the test needs no clock.
            let end = number == 3 ? "#EXT-X-ENDLIST\n" : ""
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
            return Self.answer(list + "#EXTINF:1,\n\(number).ts\n" + end)
        }
        defer { server.stop() }
        let folder = try TestFolder()
        let base = "http://127.0.0.1:\(server.port)"
        try await StreamRecorder.record("\(base)/live.m3u8", into: folder.path, following: .seconds(600))
        let recorded = try RecordingFolder(folder.path)
        for number in 0...3 { #expect(recorded.recording.exchange(for: "\(base)/\(number).ts", at: 0) != nil) }
        let last = try #require(recorded.recording.exchange(for: "\(base)/live.m3u8", at: .infinity))
        #expect(String(decoding: recorded.body(of: last) ?? [], as: UTF8.self).contains("ENDLIST"))
        let first = try #require(recorded.recording.exchange(for: "\(base)/live.m3u8", at: 0))
        #expect(String(decoding: recorded.body(of: first) ?? [], as: UTF8.self).contains("SEQUENCE:0"))
    }

    @Test func `a stream above the limit is an error, and leaves no recording`() async throws {
        let server = try LoopbackServer { Self.serve($0) }
        defer { server.stop() }
        let folder = try TestFolder()
        var limits = StreamRecorder.Limits()
        limits.bytes = Self.resources["/film/master.m3u8"]!.utf8.count + 30
        let small = limits, url = "http://127.0.0.1:\(server.port)/film/master.m3u8"
        let error = await #expect(throws: StreamRecorder.Failure.self) {
            try await StreamRecorder.record(url, into: folder.path, limits: small)
        }
        #expect(error?.description.contains("exceeds the limit of \(small.bytes) bytes") == true)
        #expect(!RecordingFolder.exists(at: folder.path))
    }
}
