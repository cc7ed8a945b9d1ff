import Foundation
import SegueTestSupport
import Synchronization
import Testing

@Suite struct `Play` {
    /// A folder served as plain files, as by any static server.
    private func staticServer(_ folder: TestFolder) throws -> LoopbackServer {
        try LoopbackServer { target in
            let name = target.split(separator: "/").last.map(String.init) ?? ""
            guard let data = FileManager.default.contents(atPath: folder.file(name)) else {
                return [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
            }
            return [
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n\r\n".utf8)), .send([UInt8](data)),
            ]
        }
    }

    @Test func `draws, records, and measures the heard audio`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let made = try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-i", film, "-t", "12", "-c", "copy", "-f", "hls", "-hls_time", "4",
                "-hls_playlist_type", "vod", "film.m3u8",
            ],
            in: folder
        )
        #expect(made.status == 0)
        let server = try staticServer(folder)
        defer { server.stop() }
        let files = ["story.svg", "story.png", "heard.wav", "model.json"].map { folder.file($0) }
        for frame in files.prefix(2) {
            let outcome = try await Program.run(
                "play",
                server.url("/film.m3u8"),
                "--virtual",
                "--quiet",
                "--draw",
                frame,
                "--wav",
                files[2],
                "--p1203",
                files[3]
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let starts = try files.map { path in
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)).prefix(4))
        }
        #expect(starts == [Array("<svg".utf8), [0x89, 0x50, 0x4E, 0x47], Array("RIFF".utf8), Array("{\n  ".utf8)])
        let wrong = try await Program.run("play", server.url("/film.m3u8"), "--draw", "story.gif")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("the file must end in .svg or .png"))
    }

    @Test func `checks the run by rules`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let own = try folder.write(
            Array(
                """
                rules:
                  - id: starts-again
                    about: A film that is played once starts once more.
                    require: { kind: item.stalled }
                    networks: [3g]
                  - id: quiet
                    about: Nobody asks for anything.
                    forbid: { kind: request.began }
                    networks: [wifi]
                """.utf8
            ),
            to: "own.yaml"
        )
        let log = folder.file("log.jsonl")
        func play(_ rules: String, over network: String) async throws -> Program.Outcome {
            try await Program.run(
                "play",
                film,
                "--virtual",
                "--quiet",
                "--network",
                network,
                "--rules",
                rules,
                "--log",
                log
            )
        }
        let kept = try await play("default", over: "wifi")
        #expect(kept.status == 0 && kept.errors.isEmpty, "\(kept.errors)")
        let broken = try await play("default,\(own)", over: "wifi")
        #expect(broken.status == 1)
        #expect(broken.errors.hasPrefix("segue: play: quiet: request.began"), "\(broken.errors)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains(#""rule":"quiet""#))
        let other = try await play(own, over: "3g")
        #expect(other.status == 1 && other.errors.hasPrefix("segue: play: starts-again: no event matches"))
        let unknown = try await play("defualt", over: "wifi")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean default?"), "\(unknown.errors)")
        let wrong = try folder.write(
            Array("rules:\n  - {id: a, about: b, forbid: {level: error}, networks: [wfi]}\n".utf8),
            to: "wrong.yaml"
        )
        let misnamed = try await play(wrong, over: "wifi")
        #expect(misnamed.status == 2 && misnamed.errors.contains("did you mean wifi?"), "\(misnamed.errors)")
    }

    @Test(arguments: ["mpegts", "fmp4"])
    func `plays a stream that ffmpeg made from a plain static server`(segments: String) async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let made = try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-i", film, "-t", "12", "-c", "copy", "-f", "hls", "-hls_time", "4",
                "-hls_segment_type", segments, "-hls_playlist_type", "vod", "film.m3u8",
            ],
            in: folder
        )
        #expect(made.status == 0)
        let server = try staticServer(folder)
        defer { server.stop() }
        let json = folder.file("metrics.json")
        let outcome = try await Program.run("play", server.url("/film.m3u8"), "--virtual", "--json", json)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("item.playedToEnd"))
        let metrics = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
        let heard = try #require((metrics as? [String: Any])?["heardSeconds"] as? Double)
        #expect(abs(heard - 12) < 0.2)
    }

    @Test func `plays a live stream in virtual time from a server with virtual time`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let made = try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-stream_loop", "-1", "-i", film, "-t", "40", "-c", "copy", "-f", "hls", "-hls_time",
                "2",
                "-hls_playlist_type", "vod", "film.m3u8",
            ],
            in: folder
        )
        #expect(made.status == 0)
        let playlist = try String(contentsOfFile: folder.file("film.m3u8"), encoding: .utf8)
        let segments = playlist.split(separator: "#EXTINF").dropFirst().map { $0.replacing("#EXT-X-ENDLIST", with: "") }
        let server = try LoopbackServer.answering { request in
            let path = String(request.head.split(separator: " ")[1].dropFirst())
            guard path == "live.m3u8" else {
                return [
                    .send(Self.answer((try? [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file(path))))) ?? []))
                ]
            }
            // A segment every two seconds; the first four exist from the beginning.
            let there = 4 + Int((request.header("segue-time").flatMap(Double.init) ?? 0) / 2)
            let first = max(0, min(there, segments.count) - 4)
            var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:3\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            text += segments[first..<min(there, segments.count)].map { "#EXTINF" + $0 }.joined()
            return [.send(Self.answer(Array((text + (there >= segments.count ? "#EXT-X-ENDLIST\n" : "")).utf8)))]
        }
        defer { server.stop() }
        let json = folder.file("metrics.json")
        let outcome = try await Program.run("play", server.url("/live.m3u8"), "--virtual", "--json", json)
        #expect(
            outcome.status == 0 && outcome.output.contains("item.playedToEnd"),
            "\(outcome.output)\(outcome.errors)"
        )
        #expect(!outcome.output.contains("item.stalled"))
        let metrics = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
        let heard = try #require((metrics as? [String: Any])?["heardSeconds"] as? Double)
        // A player that starts behind the beginning of the first four segments hears everything after that.
        #expect((32...40.2).contains(heard))
    }

    private static func answer(_ body: [UInt8]) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test func `plays two items of our own server in real time`() async throws {
        let folder = try TestFolder()
        try await Program.serving(AcceptanceMedia.folder.path) { served in
            let url = "\(try await served.item("song"))/master.m3u8"
            let outcome = try await Program.run("play", url, url, "--log", folder.file("log.jsonl"))
            #expect(outcome.status == 0)
        }
        let log = try String(contentsOfFile: folder.file("log.jsonl"), encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains("item.playedToEnd") } == 2)
    }

    @Test func `a run without audio writes all outputs`() async throws {
        let server = try LoopbackServer { _ in Self.broken[4].script }
        defer { server.stop() }
        let folder = try TestFolder()
        let (wav, frame) = (folder.file("heard.wav"), folder.file("story.svg"))
        let outcome = try await Program.run(
            "play",
            server.url("/a.m3u8"),
            "--virtual",
            "--wav",
            wav,
            "--draw",
            frame
        )
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("404"))
        #expect(outcome.output.contains("heard 0 s"))
        let starts = try [wav, frame].map { try Data(contentsOf: URL(fileURLWithPath: $0)).prefix(4) }
        #expect(starts == [Data("RIFF".utf8), Data("<svg".utf8)])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a run, and all outputs are written`(signal: Int32) async throws {
        let folder = try TestFolder()
        let (log, wav) = (folder.file("log.jsonl"), folder.file("heard.wav"))
        try await Program.serving(AcceptanceMedia.folder.path) { served in
            let url = "\(try await served.item("film"))/index.m3u8"
            let arguments = ["play", url, "--log", log, "--wav", wav]
            let status = try await Program.signalling(signal, atLineWith: "sound.began", arguments)
            #expect(status == 0)
        }
        let last = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").last ?? ""
        #expect(last.contains("case.ended") && last.contains("ended by SIG\(signal == SIGINT ? "INT" : "TERM")"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: wav)).prefix(4) == Data("RIFF".utf8))
    }

    @Test func `two runs that fail alike do not agree`() async throws {
        try await Program.serving(AcceptanceMedia.folder.path) { served in
            let outcome = try await Program.run(
                "agree",
                "\(served.address)items/none/index.m3u8",
                "--network",
                "wifi"
            )
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("DIFFERS"))
            #expect(outcome.output.contains("in virtual time item-1 failed: "))
            #expect(outcome.output.contains("in real time item-1 failed: "))
        }
    }

    @Test func `a live server receives the time of the run in virtual time`() async throws {
        let times = Mutex([String?]())
        let server = try LoopbackServer.answering { request in
            times.withLock { $0.append(request.header("segue-time")) }
            return [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
        }
        defer { server.stop() }
        _ = try await Program.run("agree", server.url("/live.m3u8"), "--network", "wifi")
        let told = times.withLock { $0 }
        #expect(told.contains { $0?.hasPrefix("0.") == true }, "\(told)")
        // In real time, the server's own clock is right.
        #expect(told.contains(nil), "\(told)")
    }

    /// Invalid servers and their error messages.
    static let broken: [(script: [LoopbackServer.Step], says: String)] = [
        ([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnot media".utf8))], "playlist"),
        ([.send(Array("nonsense\r\n\r\n".utf8)), .close], "item-1 failed"),
        ([.reset], "item-1 failed"),
        ([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n#EXTM3U".utf8)), .close], "item-1 failed"),
        ([.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))], "404"),
    ]

    @Test(arguments: broken.indices)
    func `an invalid server fails the item with one line`(index: Int) async throws {
        let server = try LoopbackServer { _ in Self.broken[index].script }
        defer { server.stop() }
        let outcome = try await Program.run("play", server.url("/a.m3u8"), "--virtual", "--quiet")
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.hasPrefix("segue: play: item-1 failed: "))
        #expect(outcome.errors.contains(Self.broken[index].says))
    }
}
