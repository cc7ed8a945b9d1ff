import SegueHLS
import Testing

@Suite struct `A playlist's text` {
    private static let good = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:7
        #EXTINF:5.96,
        7.ts
        #EXTINF:4,
        8.ts
        #EXT-X-ENDLIST

        """

    @Test func `is read, and nothing is found in one that is right`() throws {
        let playlist = PlaylistText(Self.good)
        #expect(playlist.findings.isEmpty)
        let media = try #require(playlist.media)
        #expect(media.mediaSequence == 7 && media.hasEndList && playlist.multivariant == nil)
        #expect(media.segments.map(\.uri) == ["7.ts", "8.ts"])
        #expect(media.segments[0].duration == Rational(596, 100) && media.segments[1].duration == 4)
    }

    @Test func `has findings that say what, where and by which text`() throws {
        let findings = PlaylistText(Self.good.replacing(":6\n", with: ":5\n"), url: "http://a/film.m3u8").findings
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.rule == "target-holds" && finding.severity == .must)
        #expect(finding.places.map(\.line) == [5] && finding.places[0].url == "http://a/film.m3u8")
        #expect(finding.clauses.contains { $0.hasPrefix("RFC 8216 4.3.3.1") })
        #expect("\(finding)".contains("http://a/film.m3u8, line 5"))
    }

    @Test(arguments: [
        "", "#EXTM3U\n#EXT-X-TARGETDURATION:x\n#EXTINF:1,\na.ts\n", "{}", "#EXTM3U\n#EXTINF:1,\na.ts\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n",
    ])
    func `that cannot be read has findings, and no playlist`(text: String) {
        let playlist = PlaylistText(text)
        #expect(playlist.playlist == nil && playlist.refusal != nil)
        #expect(playlist.findings.contains { $0.severity == .must })
    }

    @Test func `of a multivariant playlist is judged without what it leads to`() throws {
        let text = """
            #EXTM3U
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2400000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25
            high.m3u8

            """
        let playlist = PlaylistText(text)
        #expect(playlist.findings.isEmpty)
        #expect(playlist.multivariant?.variants.map(\.bandwidth) == [800_000, 2_400_000])
        // Apple wants more of it.
        #expect(playlist.findings(of: .all).contains { $0.rule == "average-bandwidth" })
    }

    @Test func `has variables from the playlist that led to it`() {
        let text = Self.good.replacing("7.ts", with: "{$id}.ts").replacing(
            "#EXT-X-VERSION:3",
            with: "#EXT-X-VERSION:8\n#EXT-X-DEFINE:IMPORT=\"id\""
        )
        #expect(PlaylistText(text, importing: ["id": "x"]).media?.segments[0].uri == "x.ts")
        #expect(PlaylistText(text, importing: ["id": "x"]).findings.isEmpty)
        // Of one that was found by itself nothing is known; one without any lacks it.
        #expect(PlaylistText(text).findings.isEmpty)
        #expect(PlaylistText(text, importing: [:]).findings.map(\.rule) == ["import-known"])
    }
}

@Suite struct `A playlist that code makes` {
    private let segments = (0..<3).map { MediaSegment(uri: "\($0).m4s", duration: 4, map: MediaMap(uri: "init.mp4")) }

    @Test func `is written with the version that it needs, and read again`() throws {
        let playlist = MediaPlaylist(segments: segments, isIndependent: true)
        #expect(playlist.text.contains("#EXT-X-VERSION:6\n") && playlist.text.contains("#EXT-X-TARGETDURATION:4\n"))
        #expect(playlist.findings.isEmpty)
        guard case .media(let again) = try Playlist.parse(playlist.text) else {
            Issue.record("it is none of segments")
            return
        }
        #expect(again.segments == playlist.segments)
    }

    @Test func `has findings where it breaks a rule`() {
        let tooLong = MediaPlaylist(segments: segments, targetDuration: 3)
        #expect(tooLong.findings.map(\.rule) == ["target-holds"])
        #expect(tooLong.findings.first?.places.count == 3)
        var variant = Variant(uri: "a.m3u8", bandwidth: 1)
        variant.audioGroup = "none"
        let dangling = MultivariantPlaylist(variants: [variant])
        #expect(dangling.findings.contains { $0.message.contains("none") && $0.severity == .must })
    }

    @Test func `gives delta updates that make the whole again`() throws {
        let playlist = MediaPlaylist(segments: segments, kind: nil, hasEndList: false)
        let delta = playlist.delta(skipping: 2)
        #expect(delta.text.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS=2") && delta.segments.count == 1)
        #expect(try delta.applied(to: playlist).segments == playlist.segments)
        #expect(throws: DeltaUpdateError.self) { try delta.applied(to: delta) }
    }
}
