import SegueBase
import SeguePlaylists
import Testing

@Suite struct `Writing playlists` {
    @Test func `sums of durations do not accumulate errors`() throws {
        // 145 frames at 24000/1001 a second: 6.0477083333… s, which six decimals cannot say.
        let segments = (0..<1000).map { MediaSegment(uri: "\($0).ts", duration: Rational(145 * 1001, 24000)) }
        let playlist = MediaPlaylist(segments: segments)
        guard case .media(let read) = try Playlist.parse(playlist.text) else {
            Issue.record("not media")
            return
        }
        let error = read.duration - playlist.duration
        #expect(max(error, -error) <= Rational(1, 2_000_000))
        #expect(read.targetDuration == 6)
    }

    @Test(arguments: [
        (Rational(6), 6), (Rational(13, 2), 7), (Rational(64_999_999, 10_000_000), 7), (Rational(649, 100), 6),
        (Rational(1, 100), 1),
    ])
    func `the target duration is the longest segment's, rounded`(duration: Rational, target: Int) {
        #expect(MediaPlaylist(segments: [MediaSegment(uri: "a", duration: duration)]).targetDuration == target)
    }

    @Test func `written playlists read back the same`() throws {
        let map = MediaMap(uri: "init.mp4")
        var playlist = MediaPlaylist(
            segments: [
                MediaSegment(uri: "0.m4s", duration: Rational(6006, 1000), map: map),
                MediaSegment(uri: "1.m4s", duration: Rational(1, 2), startsDiscontinuity: true, map: map),
            ],
            isIndependent: true
        )
        playlist.start = PlaylistStart(timeOffset: Rational(5, 2), isPrecise: true)
        let expected = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-START:TIME-OFFSET=2.500000,PRECISE=YES
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:6.006000,
            0.m4s
            #EXT-X-DISCONTINUITY
            #EXTINF:0.500000,
            1.m4s
            #EXT-X-ENDLIST

            """
        #expect(playlist.text == expected)
        var read = playlist
        read.declaredVersion = 6
        #expect(try Playlist.parse(playlist.text) == .media(read))
    }

    @Test func `a multivariant playlist reads back the same`() throws {
        var variant = Variant(
            uri: "v.m3u8",
            bandwidth: 5,
            averageBandwidth: 4,
            codecs: ["avc1.64001f", "mp4a.40.2"],
            resolution: Resolution(width: 2, height: 1),
            frameRate: Rational(25)
        )
        variant.audioGroup = "a"
        var rendition = MediaRendition(kind: .audio, group: "a", name: "x", language: "en", uri: "a.m3u8")
        rendition.isAutoselected = true
        let playlist = MultivariantPlaylist(variants: [variant], renditions: [rendition])
        #expect(try Playlist.parse(playlist.text) == .multivariant(playlist))
    }

    @Test(arguments: [
        (MediaSegment(uri: "a", duration: Rational(6)), 1),
        (MediaSegment(uri: "a", duration: Rational(13, 2)), 3),
        (MediaSegment(uri: "a", duration: Rational(6), byteRange: ByteRange(offset: 0, length: 1)), 4),
        (MediaSegment(uri: "a", duration: Rational(6), map: MediaMap(uri: "i")), 6),
    ])
    func `the version is the lowest that suffices`(segment: MediaSegment, version: Int) {
        #expect(MediaPlaylist(segments: [segment]).requiredVersion == version)
    }

    @Test func `characters that would break a line are removed`() throws {
        var segment = MediaSegment(uri: "a", duration: Rational(1))
        segment.title = "x\n#EXT-X-ENDLIST\u{0}"
        let lines = MediaPlaylist(segments: [segment]).text.split(separator: "\n")
        #expect(lines.contains("#EXTINF:1,x #EXT-X-ENDLIST "))
    }

    @Test(arguments: [("-29.97", "-29.970"), ("-0.5", "-0.500"), ("9999999", "9999999.000")])
    func `a negative frame rate is written as it was read`(said: String, written: String) throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=\(said)\na.m3u8\n"
        #expect(try Playlist.parse(text).text.contains("FRAME-RATE=\(written)\n"))
    }
}
