import SegueBase
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Multivariant playlists` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    private func multivariant(_ path: String, _ query: String = "") throws -> MultivariantPlaylist {
        let answer = served.get(try served.url(path, "master.m3u8\(query)"))
        #expect(answer.status == 200, "\(answer.text)")
        guard case .multivariant(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        return playlist
    }

    private func media(_ path: String, _ uri: String) throws -> MediaPlaylist {
        let answer = served.get(try served.url(path, uri))
        #expect(answer.status == 200, "\(uri): \(answer.text)")
        guard case .media(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        return playlist
    }

    /// Everything that a media playlist lists, as one file.
    private func whole(_ path: String, _ playlist: MediaPlaylist) throws -> MediaInput {
        var bytes: [UInt8] = []
        for uri in [playlist.segments.first?.map?.uri].compactMap({ $0 }) + playlist.segments.map(\.uri) {
            let answer = served.get(try served.url(path, uri))
            #expect(answer.status == 200, "\(uri): \(answer.text)")
            bytes += answer.bytes
        }
        return try MediaInput(bytes: bytes, name: "delivered")
    }

    @Test(arguments: ["ts", "fmp4"])
    func `several audio tracks of a film form a group`(container: String) throws {
        let path = "films/tongues.mkv"
        let playlist = try multivariant(path, "?container=\(container)")
        let audioTracks = playlist.renditions(.audio, inGroup: "audio")
        #expect(audioTracks.map(\.name) == ["English", "Der Ton", "French", "English 2"])
        #expect(audioTracks.map(\.language) == ["en", "de", "fr", "en"])
        #expect(audioTracks.map(\.isDefault) == [true, false, false, false])
        #expect(audioTracks.map(\.isAutoselected) == [true, true, true, false])
        #expect(audioTracks.map(\.channels) == ["2", "1", "2", "2"])
        #expect(playlist.variants.map(\.audioGroup) == ["audio", "audio-aac"])
        #expect(playlist.variants.map { Set($0.codecs.dropFirst()) } == [["mp4a.40.2", "ac-3"], ["mp4a.40.2"]])
        #expect(playlist.renditions(.audio, inGroup: "audio-aac").map(\.language) == ["en", "de", "en"])
        #expect(playlist.isIndependent)
        let film = try media(path, playlist.variants[0].uri)
        #expect(try whole(path, film).streams.map(\.kind) == [.video])
        for audio in audioTracks {
            let list = try media(path, try #require(audio.uri))
            // The video starts and ends slightly inside the audio; in between all have the same boundaries.
            #expect(list.segments.count == film.segments.count)
            #expect(list.segments[1].duration == film.segments[1].duration)
            #expect(zip(list.segments, film.segments).allSatisfy { abs(($0.duration - $1.duration).seconds) < 0.05 })
            #expect(list.targetDuration == film.targetDuration)
            #expect(try whole(path, list).streams.map(\.kind) == [.audio])
        }
    }

    @Test(arguments: ["films/film.mp4", "song.mp3"], ["ts", "fmp4"])
    func `a single audio track is a separate rendition on request`(path: String, container: String) throws {
        let query = "?container=\(container)"
        let together = try multivariant(path, query)
        #expect(together.variants.allSatisfy { $0.audioGroup == nil })
        let apart = try multivariant(path, query + "&apart=1")
        #expect(apart.variants.map(\.audioGroup) == ["audio"])
        #expect(apart.variants[0].codecs == together.variants[0].codecs)
        let audioTracks = apart.renditions(.audio, inGroup: "audio")
        #expect(audioTracks.count == 1)
        #expect(try whole(path, media(path, apart.variants[0].uri)).streams.map(\.kind) == [.video])
        let audio = try media(path, try #require(audioTracks.first?.uri))
        #expect(try whole(path, audio).streams.map(\.kind) == [.audio])
        // Without video there is nothing to separate.
        let alone = try multivariant(path, query + "&background=1&apart=1")
        #expect(alone.variants.map(\.audioGroup) == [nil])
    }

    @Test func `without bitmap subtitles, none are drawn into the video`() throws {
        for name in ["master.m3u8?burn=1", "index.m3u8?burn=1", "index.m3u8?rendition=full-burn-1"] {
            let answer = served.get(try served.url("films/film.mp4", name))
            #expect(answer.status == 422 && answer.code == "noSubtitles", "\(name)")
        }
        let answer = served.get(try served.url("films/film.mp4", "index.m3u8?burn=1&background=1"))
        #expect(answer.status == 200)
    }

    @Test func `a variant's bandwidth includes its video and its largest audio track`() throws {
        let path = "films/tongues.mkv"
        let playlist = try multivariant(path, "?container=fmp4")
        func peak(_ uri: String) throws -> Int {
            let list = try media(path, uri)
            return try list.segments.map { segment in
                let size = served.get(try served.url(path, segment.uri)).bytes.count
                return Int(Double(size * 8) / segment.duration.seconds)
            }.max() ?? 0
        }
        let variant = playlist.variants[0]
        let audioTracks = try playlist.renditions(.audio, inGroup: "audio").map { try peak(try #require($0.uri)) }
        let together = try peak(variant.uri) + (audioTracks.max() ?? 0)
        #expect(abs(Double(variant.bandwidth) / Double(together) - 1) < 0.1)
        #expect(variant.averageBandwidth ?? 0 <= variant.bandwidth)
        #expect(variant.videoRange == "SDR" && variant.hdcpLevel == "NONE")
        #expect(variant.frameRate == Rational(25) && variant.resolution != nil)
    }

    @Test func `audio only has a multivariant playlist`() throws {
        let path = "films/tongues.mkv"
        let playlist = try multivariant(path, "?background=1")
        #expect(playlist.variants.count == 1 && playlist.iFrameVariants.isEmpty)
        let variant = playlist.variants[0]
        #expect(variant.resolution == nil && variant.frameRate == nil && variant.videoRange == nil)
        #expect(!variant.codecs.contains { $0.hasPrefix("avc") })
        let audioTracks = playlist.renditions(.audio, inGroup: "audio")
        // The first one is in the variant's own segments.
        #expect(audioTracks.map { $0.uri == nil } == [true, false, false, false])
        #expect(try whole(path, media(path, variant.uri)).streams.map(\.kind) == [.audio])
    }

    @Test(arguments: ["ts", "fmp4"])
    func `a film has an I-frame rendition`(container: String) throws {
        let path = "films/film.mp4"
        let playlist = try multivariant(path, "?container=\(container)")
        let variant = try #require(playlist.iFrameVariants.first)
        #expect(variant.codecs.count == 1 && variant.resolution != nil && variant.frameRate == nil)
        #expect(variant.bandwidth < playlist.variants[0].bandwidth)
        let videos = try media(path, variant.uri)
        let film = try media(path, playlist.variants[0].uri)
        #expect(videos.isIFramesOnly)
        #expect(videos.segments.map(\.duration) == film.segments.map(\.duration))
        let input = try whole(path, videos)
        var times: [Rational] = []
        let packet = Packet()
        while try input.read(into: packet) {
            #expect(packet.isKey)
            times.append(Rational(packet.pts ?? 0) * input.streams[0].timeBase)
        }
        #expect(times.count == videos.segments.count)
        for (place, segment) in videos.segments.enumerated().dropLast() {
            #expect(abs((times[place + 1] - times[place] - segment.duration).seconds) < 1.0 / 45000)
        }
    }

    @Test(arguments: [
        ("index.m3u8?rendition=nothing", 400), ("index.m3u8?rendition=video&background=1", 400),
        ("index.m3u8?rendition=sound-77", 422), ("index.m3u8?rendition=background&background=1", 200),
        ("master.m3u8?rendition=video", 400), ("index.m3u8?rendition=iframes", 200),
    ])
    func `a rendition is selected by its name`(rest: String, status: Int) throws {
        let answer = served.get(try served.url("films/film.mp4", rest))
        #expect(answer.status == status, "\(answer.text)")
    }

    @Test(arguments: [
        ("ger", "de", "German"), ("deu", "de", "German"), ("eng", "en", "English"), ("chi", "zh", "Chinese"),
        ("pt-BR", "pt-BR", "Portuguese (Brazil)"), ("nob", "nb", "Norwegian Bokmål"), ("JPN", "ja", "Japanese"),
    ])
    func `languages are BCP 47 tags`(said: String, tag: String, name: String) {
        #expect(LanguageTag(said).text == tag)
        #expect(LanguageTag(said).name == name)
    }

    @Test(arguments: ["und", "", "english", "fra,fra", "a", "d\u{e9}"])
    func `other words are not languages`(said: String) { #expect(LanguageTag(said).text == "und") }

    @Test(arguments: ["ts", "fmp4"])
    func `cover art has a frame per second and a keyframe per segment`(container: String) throws {
        let playlist = try multivariant("song.mp3", "?container=\(container)")
        let variant = playlist.variants[0]
        #expect(variant.resolution == Resolution(width: 96, height: 64) && variant.frameRate == Rational(1))
        #expect(playlist.iFrameVariants.isEmpty)
        let list = try media("song.mp3", variant.uri)
        let input = try whole("song.mp3", list)
        let video = try #require(input.streams.first { $0.kind == .video })
        let base = try #require(input.start)
        var times: [(time: Double, isKey: Bool)] = []
        var size = 0
        let packet = Packet()
        while try input.read(into: packet) {
            guard packet.streamIndex == video.index else { continue }
            times.append(((Rational(packet.pts ?? 0) * video.timeBase - base).seconds, packet.isKey))
            size += packet.size
        }
        let starts = list.segments.indices.map { list.segments[..<$0].reduce(0) { $0 + $1.duration.seconds } }
        #expect(times.filter(\.isKey).count == starts.count)
        #expect(zip(times.filter(\.isKey), starts).allSatisfy { abs($0.time - $1) < 0.05 })
        #expect(zip(times, times.dropFirst()).allSatisfy { $1.time - $0.time < 1.6 })
        #expect(Double(size * 8) / list.duration.seconds < 20_000)
    }

    @Test func `cover art can be omitted`() throws {
        for query in ["?artwork=0", "?background=1"] {
            let playlist = try multivariant("song.mp3", query)
            #expect(playlist.variants.allSatisfy { $0.resolution == nil && $0.codecs == ["mp4a.40.34"] })
            let list = try media("song.mp3", playlist.variants[0].uri)
            #expect(try whole("song.mp3", list).streams.map(\.kind) == [.audio])
        }
        let list = try media("song.mp3", "index.m3u8?artwork=0")
        #expect(try whole("song.mp3", list).streams.map(\.kind) == [.audio])
    }
}
