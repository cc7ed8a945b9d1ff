import Foundation
import HTTPTypes
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Playlists and segments` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    @Test(arguments: ["ts", "fmp4"], ["0", "1"])
    func `a playlist's segments are contiguous as announced`(container: String, background: String) throws {
        let playlist = served.get(
            try served.url("films/film.mp4", "index.m3u8?container=\(container)&background=\(background)")
        )
        #expect(playlist.status == 200)
        #expect(playlist.headers[.contentType] == "application/vnd.apple.mpegurl")
        guard case .media(let media) = try Playlist.parse(playlist.text) else {
            Issue.record("not a media playlist")
            return
        }
        #expect(media.hasEndList && media.kind == .vod && media.segments.count >= 2)
        #expect(abs(media.duration.seconds - 14) < 0.1)
        let folder = background == "1" ? "background.\(container)" : "full.\(container)"
        #expect(media.segments.allSatisfy { $0.uri.contains("/\(folder)/") })
        var whole: [UInt8] = []
        if container == "fmp4" {
            let map = try #require(media.segments[0].map)
            whole += served.get(try served.url("films/film.mp4", map.uri)).bytes
        } else {
            #expect(media.segments[0].map == nil)
        }
        for segment in media.segments {
            let answer = served.get(try served.url("films/film.mp4", segment.uri))
            #expect(answer.status == 200)
            #expect(answer.headers[.contentLength] == "\(answer.bytes.count)")
            whole += answer.bytes
        }
        let input = try MediaInput(bytes: whole, name: "segments", format: container == "ts" ? "mpegts" : "mp4")
        let kinds = Set(input.streams.map(\.kind))
        #expect(kinds == (background == "1" ? [.audio] : [.audio, .video]))
    }

    @Test func `segments are identical in any order and on any server`() throws {
        let other = Responder(library: served.responder.library) {
            $0.limits = .init(presentations: 1, segmentBytes: 0)
        }
        let path = "films/film.mp4"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8?background=1")), of: path)
        let forwards = uris.map { served.get($0) }
        let backwards = uris.reversed().map { other.respond(to: OriginRequest(target: $0)) }.reversed()
        for (one, two) in zip(forwards, backwards) {
            #expect(one.bytes == two.bytes && !one.bytes.isEmpty)
            #expect(one.headers[.eTag] == two.headers[.eTag])
        }
    }

    @Test func `an offset is announced precisely`() throws {
        let url = { (offset: String) in try served.url("films/film.mp4", "index.m3u8?background=1&offset=\(offset)") }
        guard case .media(let media) = try Playlist.parse(served.get(try url("7.25")).text) else { return }
        #expect(media.start == PlaylistStart(timeOffset: Rational(29, 4), isPrecise: true))
        // A client may round up at the end.
        guard case .media(let atEnd) = try Playlist.parse(served.get(try url("14.5")).text) else { return }
        #expect(atEnd.start?.timeOffset == atEnd.duration)
        let beyond = served.get(try url("300"))
        #expect(beyond.status == 400 && beyond.message?.hasPrefix("offset: ") == true)
    }

    @Test func `a multivariant playlist is accurate`() throws {
        let url = try served.url("films/film.mp4", "master.m3u8")
        guard case .multivariant(let full) = try Playlist.parse(served.get(url).text) else {
            Issue.record("not a multivariant playlist")
            return
        }
        let variant = try #require(full.variants.first)
        #expect(variant.codecs.count == 2 && variant.codecs.contains { $0.hasPrefix("avc1.") })
        #expect(variant.resolution != nil && variant.frameRate == Rational(25))
        #expect(variant.bandwidth >= variant.averageBandwidth ?? .max)
        #expect(served.get(try served.url("films/film.mp4", variant.uri)).status == 200)

        let audio = served.get(url + "?background=1&container=ts&offset=2.5")
        guard case .multivariant(let background) = try Playlist.parse(audio.text) else { return }
        let only = try #require(background.variants.first)
        #expect(only.codecs == ["mp4a.40.2"] && only.resolution == nil && only.frameRate == nil)
        #expect(only.uri == "index.m3u8?container=ts&background=1&offset=2.5")
        #expect(served.get(try served.url("films/film.mp4", only.uri)).status == 200)
    }

    @Test func `a transcoded film is described as its result`() throws {
        let answer = served.get(try served.url("films/old.mkv", "master.m3u8"))
        guard case .multivariant(let playlist) = try Playlist.parse(answer.text) else {
            Issue.record("not a multivariant playlist: \(answer.text)")
            return
        }
        let variant = try #require(playlist.variants.first)
        #expect(variant.codecs.contains { $0.hasPrefix("avc1.") })
        #expect(served.get(try served.url("films/old.mkv", variant.uri)).status == 200)
        #expect(served.get(try served.url("films/old.mkv", "index.m3u8?background=1")).status == 200)
    }

    @Test func `a film without audio has no background rendition`() throws {
        #expect(served.get(try served.url("films/silent.mp4", "index.m3u8")).status == 200)
        let answer = served.get(try served.url("films/silent.mp4", "index.m3u8?background=1"))
        #expect(answer.status == 422 && answer.code == "noSound")
    }

    @Test(arguments: ["films/words.mp4", "empty.mkv"])
    func `a file that is not media is rejected with the reason`(path: String) throws {
        for name in ["index.m3u8", "master.m3u8", "index.m3u8?background=1"] {
            let answer = served.get(try served.url(path, name))
            #expect(answer.status == 422)
            #expect(answer.message?.isEmpty == false && answer.message?.contains(served.folder.path) == false)
        }
        #expect(served.get(try served.url(path, "original")).status == 200)
    }

    @Test(arguments: [
        "background=2", "background=", "container=mp4", "offset=-1", "offset=x", "device=phone", "artwork=maybe",
        "offset=1&offset=2",
    ])
    func `a bad query value names its parameter`(query: String) throws {
        for name in ["index.m3u8", "master.m3u8"] {
            let answer = served.get(try served.url("films/film.mp4", "\(name)?\(query)"))
            #expect(answer.status == 400 && answer.code == "badQuery")
            let parameter = query.prefix { $0 != "=" }
            #expect(answer.message?.hasPrefix("\(parameter): ") == true)
        }
    }

    @Test func `unlisted segments are not found`() throws {
        let path = "films/film.mp4"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8?container=fmp4")), of: path)
        let folder = String(try #require(uris.first).dropLast("0.m4s".count))
        for name in [
            "\(uris.count).m4s", "999999999999999999999.m4s", "-1.m4s", "00.m4s", "0.ts", "0.mp4", "init.m4s",
            "",
        ] {
            #expect(served.get(folder + name).status == 404)
        }
        #expect(served.get(folder + "init.mp4").status == 200)
        #expect(served.get(folder.replacing("full.fmp4", with: "full.ts") + "init.mp4").status == 404)
        #expect(served.get(folder.replacing("full.fmp4", with: "half.fmp4") + "0.m4s").status == 404)
    }

    @Test func `a changed file is noticed`() throws {
        let path = "plain.wav"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        #expect(served.get(try #require(uris.first)).status == 200)
        let original = served.get(try served.url(path, "original"))
        _ = try served.folder.write(Array(original.bytes.dropLast(40_000)), to: path)
        let answer = served.get(uris[0])
        #expect(answer.status == 404 && answer.message?.contains("changed") == true)
        let playlist = served.get(try served.url(path, "index.m3u8"))
        #expect(playlist.status == 200)
        #expect(try served.uris(playlist, of: path) != uris)
        #expect(served.get(try served.url(path, "original")).headers[.eTag] != original.headers[.eTag])
    }

    @Test func `a removed file is noticed`() throws {
        let path = "plain.wav"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        try FileManager.default.removeItem(atPath: served.folder.file(path))
        for target in uris + (try ["index.m3u8", "original", "artwork.jpg"].map { try served.url(path, $0) }) {
            let answer = served.get(target)
            #expect(answer.status == 404 && answer.message == "\(path): the file does not exist any more")
        }
    }

    @Test func `a cancelled request makes nothing`() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let answer = served.responder.respond(
            to: OriginRequest(target: try served.url("films/film.mp4", "index.m3u8")),
            cancellation: cancellation
        )
        #expect(answer.status == 503)
        #expect(served.responder.services.opener.presentations.count == 0)
    }

    @Test func `the observer receives exchanges`() throws {
        let seen = Mutex<[OriginExchange]>([])
        let served = try ServedFolder(observer: { exchange in seen.withLock { $0.append(exchange) } })
        let path = "films/film.mp4"
        let playlist = try served.url(path, "index.m3u8?background=1&container=ts")
        let uris = try served.uris(served.get(playlist), of: path)
        _ = served.get(uris[1])
        _ = served.get("/nothing")
        let exchanges = seen.withLock { $0 }
        #expect(exchanges.map(\.request.target) == [playlist, uris[1], "/nothing"])
        #expect(exchanges.map(\.response.status) == [200, 200, 404])
    }
}
