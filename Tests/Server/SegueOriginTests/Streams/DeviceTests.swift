import Foundation
import HTTPTypes
import SegueBase
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import Testing

@testable import SegueOrigin

@Suite struct `Devices in requests` {
    let served: ServedFolder

    init() throws {
        var phone = DeviceProfile(
            name: "old-phone",
            title: "old phone",
            containers: [.ts],
            h264: .init(profile: .baseline, level: 30, longSide: 160, shortSide: 120, showsHDR: false),
            hevc: nil,
            audio: [.aacLC: .init(containers: [.ts], channels: 1, sampleRate: 22050)]
        )
        phone.userAgents = ["OldPhone/"]
        let radio = DeviceProfile(
            name: "radio",
            title: "radio",
            containers: [.fmp4, .ts],
            h264: .init(),
            hevc: nil,
            audio: [
                .aacLC: .init(containers: [.fmp4, .ts], channels: 2, sampleRate: 48000),
                .mp3: .init(containers: [.ts], channels: 2, sampleRate: 48000),
            ]
        )
        served = try ServedFolder(devices: Devices([phone, radio]))
    }

    @Test func `an unknown device is rejected with the nearest name`() throws {
        for playlist in ["index.m3u8", "master.m3u8"] {
            let answer = served.get(try served.url("films/film.mp4", "\(playlist)?device=oldphone"))
            #expect(answer.status == 400 && answer.code == "badQuery")
            #expect(answer.message?.contains("did you mean old-phone?") == true)
        }
        let item = try served.item("films/film.mp4")
        #expect(served.get("/api/items/\(item.id)?device=oldphone").status == 400)
    }

    @Test func `an unsupported container is rejected with the reason`() throws {
        let answer = served.get(try served.url("films/film.mp4", "index.m3u8?device=old-phone&container=fmp4"))
        #expect(answer.status == 400)
        #expect(answer.message == "container: old phone (device old-phone) takes ts only")
    }

    @Test func `the segments of a device have their own URLs, and are identical on all servers`() throws {
        let path = "films/film.mp4"
        let playlist = served.get(try served.url(path, "index.m3u8?device=old-phone"))
        #expect(playlist.status == 200)
        let uris = try served.uris(playlist, of: path)
        #expect(!uris.isEmpty && uris.allSatisfy { $0.contains("/old-phone/full.ts/") })
        let other = Responder(library: served.responder.library) {
            $0.devices = served.responder.services.opener.devices
            $0.limits = .init(presentations: 1, segmentBytes: 0)
        }
        for uri in uris {
            let answer = served.get(uri)
            #expect(answer.status == 200)
            #expect(other.respond(to: OriginRequest(target: uri)).bytes == answer.bytes)
            #expect(served.get(uri.replacing("/old-phone/", with: "/")).bytes != answer.bytes)
        }
        let unknown = served.get(uris[0].replacing("/old-phone/", with: "/new-phone/"))
        #expect(unknown.status == 404)
    }

    @Test func `a title has the same boundaries for every device`() throws {
        var cuts: [[Rational]] = []
        for query in ["", "?device=old-phone", "?device=radio"] {
            let playlist = served.get(try served.url("films/film.mp4", "index.m3u8\(query)"))
            guard case .media(let media) = try Playlist.parse(playlist.text) else {
                Issue.record("no media playlist")
                return
            }
            cuts.append(media.segments.map(\.duration))
        }
        #expect(cuts[0].count > 1 && cuts[0].dropLast() == cuts[1].dropLast() && cuts[0] == cuts[2])
    }

    @Test func `the multivariant playlist leads on to the device's own playlist`() throws {
        let answer = served.get(try served.url("films/film.mp4", "master.m3u8?device=old-phone"))
        #expect(answer.text.contains("index.m3u8?container=ts&device=old-phone"))
        #expect(answer.text.contains("avc1.42"))
        let any = served.get(try served.url("films/film.mp4", "master.m3u8?device=any"))
        #expect(any.text == served.get(try served.url("films/film.mp4", "master.m3u8")).text)
    }

    @Test func `copyable audio determines the container`() throws {
        let song = served.get(try served.url("song.mp3", "index.m3u8?device=radio"))
        #expect(try served.uris(song, of: "song.mp3").allSatisfy { $0.contains("/radio/full.ts/") })
        let film = served.get(try served.url("films/film.mp4", "index.m3u8?device=radio"))
        #expect(try served.uris(film, of: "films/film.mp4").allSatisfy { $0.contains("/radio/full.fmp4/") })
        let packed = served.get(try served.url("song.mp3", "master.m3u8?device=radio&container=fmp4"))
        #expect(packed.text.contains("mp4a.40.2\""))
    }

    @Test func `a User-Agent is a hint in the absence of a device`() throws {
        let url = try served.url("films/film.mp4", "index.m3u8")
        let hinted = served.get(url, [.userAgent: "OldPhone/1.0"])
        #expect(try served.uris(hinted, of: "films/film.mp4").allSatisfy { $0.contains("/old-phone/") })
        #expect(hinted.headers[.vary] == "Accept-Encoding, User-Agent")
        let unknown = served.get(url, [.userAgent: "Other/1.0"])
        #expect(unknown.text == served.get(url).text)
        #expect(unknown.headers[.vary] == "Accept-Encoding, User-Agent")
        let named = served.get(url + "?device=any", [.userAgent: "OldPhone/1.0"])
        #expect(named.text == served.get(url).text)
        #expect(named.headers[.vary] == "Accept-Encoding")
    }

    @Test func `an item describes its treatment for a device`() throws {
        let item = try served.item("films/film.mp4")
        let json = try served.json("/api/items/\(item.id)?device=old-phone")
        let streams = try #require(json["streams"] as? [[String: Any]])
        let treatments = streams.compactMap { ($0["treatments"] as? [String: String])?["full"] }
        #expect(treatments == ["transcode", "transcode"])
        #expect("\(json)".contains("old phone supports"))
    }
}
