import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Renditions beside the video` {
    private let fast = Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)

    /// One video variant with separate audio and, optionally, subtitles, of 60 s.
    private func rig(
        _ media: String,
        attributes: String = "AUDIO=\"a\"",
        line: Line? = nil,
        app: AppProfile? = nil,
        instead: @escaping (String) -> MemoryFetcher.Answer? = { _ in nil }
    ) throws -> Rig {
        let rig = Rig(platform: try Shipped.platform("desktop"), app: app, line: line ?? fast, titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            if let other = instead(path) { return other }
            if path == "master.m3u8" {
                let text = "#EXTM3U\n\(media)\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,\(attributes)\nvideo/index.m3u8\n"
                return (200, Array(text.utf8))
            }
            let parts = path.split(separator: "/")
            guard parts.count == 2 else { return nil }
            let isText = parts[0].hasPrefix("text")
            if parts[1] == "index.m3u8" {
                return (200, Array(Variants.playlist(10, 6, suffix: isText ? "vtt" : "ts").utf8))
            }
            if isText { return (200, Array("WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n".utf8)) }
            let isVideo = parts[0] == "video"
            return (
                200, TransportStream.segment(hasVideo: isVideo, hasAudio: !isVideo, size: isVideo ? 600_000 : 96_000)
            )
        }
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    private func rendition(_ type: String, _ name: String, _ more: String) -> String {
        let group = type == "AUDIO" ? "a" : "t"
        return "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(group)\",NAME=\"\(name)\",URI=\"\(name)/index.m3u8\",\(more)"
    }

    @Test(arguments: [
        (["AUTOSELECT=YES,LANGUAGE=\"de\"", "DEFAULT=YES,AUTOSELECT=YES,LANGUAGE=\"fr\""], 1),
        (["AUTOSELECT=YES,LANGUAGE=\"de\"", "AUTOSELECT=YES,LANGUAGE=\"en-GB\""], 1),
        (["LANGUAGE=\"en\"", "AUTOSELECT=YES,LANGUAGE=\"de\""], 1),
        (["LANGUAGE=\"de\"", "LANGUAGE=\"en\""], 0),
        (["DEFAULT=YES,AUTOSELECT=YES,LANGUAGE=\"fr\"", "AUTOSELECT=YES,LANGUAGE=\"en\""], 1),
    ])
    func `audio is chosen in the user's language if possible, else by default`(attributes: [String], chosen: Int)
        throws
    {
        let media = attributes.enumerated().map { rendition("AUDIO", "sound\($0.offset)", $0.element) }
        let rig = try rig(media.joined(separator: "\n"))
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(Set(rig.paths.filter { $0.hasPrefix("sound") }.map { $0.prefix(6) }) == ["sound\(chosen)"])
    }

    @Test(
        arguments: [
            (["DEFAULT=YES,AUTOSELECT=YES,LANGUAGE=\"de\"", "AUTOSELECT=YES,LANGUAGE=\"en\""], 0),
            (["AUTOSELECT=YES,FORCED=YES,LANGUAGE=\"de\"", "AUTOSELECT=YES,FORCED=YES,LANGUAGE=\"en\""], 1),
            (["AUTOSELECT=YES,LANGUAGE=\"en\""], nil),
        ] as [([String], Int?)]
    )
    func `subtitles are chosen by default, or if they are forced in the user's language`(
        attributes: [String],
        chosen: Int?
    ) throws {
        let media = attributes.enumerated().map { rendition("SUBTITLES", "text\($0.offset)", $0.element) }
        let rig = try rig(media.joined(separator: "\n"), attributes: "SUBTITLES=\"t\"")
        var delivered: [DeliveredResource] = []
        rig.runner.delivered = { resource, _ in delivered.append(resource) }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(
            Set(rig.paths.filter { $0.hasPrefix("text") }.map { $0.prefix(5) })
                == Set(chosen.map { ["text\($0)"] } ?? [])
        )
        #expect(delivered.count { $0.stream == .subtitles } == (chosen == nil ? 0 : 11))
    }

    @Test func `subtitles delay nothing, neither when they fail nor when they are slow`() throws {
        let media = rendition("SUBTITLES", "text", "DEFAULT=YES")
        let failing = try rig(media, attributes: "SUBTITLES=\"t\"") { path in
            path == "text/3.vtt" ? (200, Array("<html>".utf8)) : nil
        }
        failing.runner.run()
        #expect(failing.session.isFinished)
        #expect(failing.session.metrics(at: failing.loop.now).stalls == 0)
        #expect(failing.item?.journal.errors.count == 1)
        let silent = try rig(media, attributes: "SUBTITLES=\"t\"")
        silent.fetcher.isSilent = { $0.url.contains("/text/") }
        silent.runner.run()
        #expect(silent.session.isFinished)
        #expect(silent.trail.stretches.count == 1)
    }

    @Test func `video is deselected and returns while the same audio continues`() throws {
        let rig = try rig(rendition("AUDIO", "sound", "DEFAULT=YES"))
        rig.loop.schedule(.command(.play), at: Instant(seconds: 9), priority: .settled)
        rig.runner.run(until: Instant(seconds: 10))
        var session = rig.session
        session.renditions.player.setVideoWanted(false, at: rig.loop.now)
        #expect(session.player.current?.client.tracks == ItemTracks(hasVideo: false, hasAudio: true))
        let ahead = try #require(session.player.current).bufferedEnd
        _ = session.handle(.command(.play), at: Instant(seconds: 20))
        #expect(session.player.trail.breaks.isEmpty)
        #expect(session.player.trail.isHeard)
        #expect(session.player.position(at: Instant(seconds: 20)) > .seconds(19))
        #expect(ahead > .seconds(40))
        session.renditions.player.setVideoWanted(true, at: Instant(seconds: 20))
        #expect(session.player.current?.client.tracks == ItemTracks(hasVideo: false, hasAudio: true))
        let effects = session.handle(.command(.play), at: Instant(seconds: 20))
        let asked = effects.compactMap { effect in if case .fetch(let request) = effect { request } else { nil } }
        // Audio has loaded completely; video starts with the current segment.
        #expect(asked.map(\.url) == ["http://origin/video/3.ts"])
        for request in asked {
            let head = FetchResponse(status: 200, headers: [], url: request.url, serverAddress: "")
            let media = TransportStream.segment(hasVideo: true, hasAudio: false, size: 600_000)
            _ = session.handle(.fetch(.response(request.id, head)), at: Instant(seconds: 20.5))
            _ = session.handle(.fetch(.data(request.id, FetchBytes(media))), at: Instant(seconds: 20.5))
            _ = session.handle(.fetch(.finished(request.id)), at: Instant(seconds: 20.5))
        }
        #expect(session.player.current?.client.tracks == ItemTracks(hasVideo: true, hasAudio: true))
        #expect(session.player.trail.breaks.isEmpty)
    }

    @Test func `audio that ends before the deselected video does not delay the end`() throws {
        let app = try Shipped.app("renditions")
        let rig = try rig(rendition("AUDIO", "sound", "DEFAULT=YES"), app: app) { path in
            path == "sound/index.m3u8" ? (200, Array(Variants.playlist(9, 6, suffix: "ts").utf8)) : nil
        }
        rig.plan(.goHome, at: 10)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
        #expect(rig.trail.stretches.last?.end == .seconds(60))
    }

    @Test func `without separate audio, an audio-only variant takes over while video is not wanted`() throws {
        var variants = Variants(duration: 240)
        variants.rungs = [
            .init(name: "high", bandwidth: 1_000_000, codecs: "avc1.4d401f,mp4a.40.2"),
            .init(name: "sound", bandwidth: 128_000, codecs: "mp4a.40.2"),
        ]
        let rig = variants.rig(try Shipped.platform("desktop"), line: fast) { request in
            guard request.url.contains("/sound/"), request.url.hasSuffix(".ts") else { return nil }
            return (200, TransportStream.segment(hasVideo: false, hasAudio: true, size: 96_000))
        }
        rig.runner.run(until: Instant(seconds: 30))
        var session = rig.session
        session.renditions.player.setVideoWanted(false, at: rig.loop.now)
        let effects = session.handle(.command(.play), at: rig.loop.now)
        #expect(
            effects.contains { effect in
                if case .fetch(let request) = effect { request.url.hasSuffix("sound/index.m3u8") } else { false }
            }
        )
    }
}
