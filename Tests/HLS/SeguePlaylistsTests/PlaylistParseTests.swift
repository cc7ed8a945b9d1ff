import SegueBase
import SegueTestSupport
import Testing

@testable import SeguePlaylists

@Suite struct `Reading playlists` {
    private func media(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist.parse(text) else {
            throw PlaylistError(.mixed, line: nil, "not a media playlist")
        }
        return playlist
    }

    @Test func `a media playlist with everything`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:17
            #EXT-X-DISCONTINUITY-SEQUENCE:3
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
            # a comment
            #EXT-X-FUTURE:WHAT=EVER
            #EXT-X-MAP:URI="init.mp4",BYTERANGE="700@10"
            #EXT-X-KEY:METHOD=AES-128,URI="k,1.bin",IV=0x00000000000000000000000000000001
            #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.678Z
            #EXTINF:6.006,A title, with a comma
            #EXT-X-BYTERANGE:1000@710
            all.mp4

            #EXT-X-KEY:METHOD=NONE
            #EXTINF:5.999999,
            #EXT-X-BYTERANGE:20
            all.mp4
            #EXT-X-DISCONTINUITY
            #EXTINF:3
            #EXT-X-GAP
            last.mp4
            #EXT-X-ENDLIST
            """
        )
        let map = MediaMap(uri: "init.mp4", byteRange: ByteRange(offset: 10, length: 700))
        let key = MediaKey(
            method: "AES-128",
            uri: "k,1.bin",
            initializationVector: "0x00000000000000000000000000000001"
        )
        var first = MediaSegment(
            uri: "all.mp4",
            duration: Rational(6006, 1000),
            byteRange: ByteRange(offset: 710, length: 1000),
            map: map,
            keys: [key]
        )
        first.title = "A title, with a comma"
        first.programDateTime = "2026-01-02T03:04:05.678Z"
        let second = MediaSegment(
            uri: "all.mp4",
            duration: Rational(5_999_999, 1_000_000),
            byteRange: ByteRange(offset: 1710, length: 20),
            map: map
        )
        var last = MediaSegment(uri: "last.mp4", duration: Rational(3), startsDiscontinuity: true, map: map)
        last.isGap = true
        var expected = MediaPlaylist(
            segments: [first, second, last],
            targetDuration: 6,
            mediaSequence: 17,
            isIndependent: true
        )
        expected.discontinuitySequence = 3
        expected.start = PlaylistStart(timeOffset: Rational(-25, 2), isPrecise: true)
        expected.declaredVersion = 7
        #expect(playlist == expected)
    }

    @Test func `line ends of all systems are read alike`() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
        let other = text.split(separator: "\n").joined(separator: "\r\n")
        #expect(try media(text) == media(other))
    }

    @Test func `a multivariant playlist with everything`() throws {
        let text = """
            #EXTM3U
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-SESSION-DATA:DATA-ID="x",VALUE="y"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="de.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1500000,CODECS="avc1.64001f, mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=23.976,AUDIO="a",CLOSED-CAPTIONS=NONE
            video.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI="frames.m3u8"
            """
        guard case .multivariant(let playlist) = try Playlist.parse(text) else {
            Issue.record("not multivariant")
            return
        }
        var variant = Variant(
            uri: "video.m3u8",
            bandwidth: 2_000_000,
            averageBandwidth: 1_500_000,
            codecs: ["avc1.64001f", "mp4a.40.2"],
            resolution: Resolution(width: 1280, height: 720),
            frameRate: Rational(23976, 1000)
        )
        variant.audioGroup = "a"
        variant.closedCaptionsGroup = "NONE"
        #expect(playlist.variants == [variant])
        #expect(playlist.iFrameVariants.map(\.uri) == ["frames.m3u8"])
        #expect(playlist.renditions(.audio, inGroup: "a").map(\.uri) == ["de.m3u8"])
        #expect(playlist.isIndependent)
    }

    @Test func `variables come from the playlist, the URL, and the multivariant playlist`() throws {
        let text = """
            #EXTM3U
            #EXT-X-VERSION:11
            #EXT-X-DEFINE:NAME="dir",VALUE="a b"
            #EXT-X-DEFINE:IMPORT="token"
            #EXT-X-DEFINE:QUERYPARAM="user"
            #EXT-X-TARGETDURATION:6
            #EXT-X-MAP:URI="{$dir}/i.mp4"
            #EXTINF:6,
            {$dir}/{x}.mp4?t={$token}&u={$user}
            """
        let url = "http://h/p.m3u8?x=1&user=7"
        guard case .media(let playlist) = try Playlist.parse(text, from: url, importing: ["token": "T"]) else {
            Issue.record("not media")
            return
        }
        #expect(playlist.segments.map(\.uri) == ["a b/{x}.mp4?t=T&u=7"])
        #expect(playlist.segments.map(\.map) == [MediaMap(uri: "a b/i.mp4")])
    }

    @Test func `unknown values are ignored with their tags`() throws {
        let text = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:LIVE\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
        #expect(try media(text).kind == nil)
        let variants = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SMELL,GROUP-ID="a",NAME="b"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            a.m3u8
            """
        guard case .multivariant(let playlist) = try Playlist.parse(variants) else {
            Issue.record("not multivariant")
            return
        }
        #expect(playlist.renditions.isEmpty && playlist.variants.count == 1)
    }

    @Test func `endless keys are refused`() {
        let keys = (0..<40).map { "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"\($0)\"\n" }.joined()
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(Self.head + keys + "#EXTINF:6,\na.ts\n") }
        #expect(error?.reason == .tooLarge)
    }

    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    @Test(arguments: [
        ("", "line 1: not a playlist: the first line is not #EXTM3U"),
        ("<html>", "line 1: not a playlist: the first line is not #EXTM3U"),
        ("\u{FEFF}#EXTM3U", "line 1: the playlist begins with a byte order mark (RFC 8216, 4.1)"),
        ("#EXTM3U\n", "the playlist has neither segments nor variants"),
        ("#EXTM3U\n#EXTINF:6,\na.ts", "the playlist has no #EXT-X-TARGETDURATION"),
        (head + "a.ts", "line 3: no #EXTINF or #EXT-X-STREAM-INF precedes the URI"),
        (head + "#EXTINF:6,", "no URI follows the last #EXTINF"),
        (head + "#EXTINF:-1,\na.ts", "line 3: #EXTINF has no duration: \"-1,\""),
        (head + "#EXTINF:99999999999999999999,\na.ts", "line 3: #EXTINF has no duration: \"99999999999999999999,\""),
        (head + "#EXT-X-TARGETDURATION:7", "line 3: #EXT-X-TARGETDURATION is repeated"),
        (
            head + "#EXT-X-MEDIA-SEQUENCE:18446744073709551615",
            "line 3: #EXT-X-MEDIA-SEQUENCE is not a whole number: \"18446744073709551615\""
        ),
        (
            head + "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8",
            "line 3: #EXT-X-STREAM-INF cannot occur in a playlist with #EXT-X-TARGETDURATION (line 2)"
        ),
        (
            head + "#EXTINF:6,\n#EXT-X-BYTERANGE:5\na.ts",
            "line 4: #EXT-X-BYTERANGE has no offset, and no range of the same resource precedes it"
        ),
        (head + "#EXT-X-MAP:URI=a.mp4", "line 3: URI of #EXT-X-MAP is not a quoted string"),
        (head + "#EXT-X-MAP:URI=\"a.mp4", "line 3: the quoted string of URI has no closing quote"),
        (head + "#EXT-X-MAP:URI=\"a\",URI=\"b\"", "line 3: #EXT-X-MAP has URI twice"),
        (head + "#EXT-X-MAP:BYTERANGE=\"5@0\"", "line 3: #EXT-X-MAP has no URI"),
        (head + "#EXTINF:6,\n{$who}.ts", "line 4: the variable who is not defined"),
        (head + "#EXTINF:6,\na\u{0}b.ts", "line 4: the line has control characters (RFC 8216, 4.1)"),
        ("#EXTM3U\n#EXT-X-VERSION:14", "line 2: version 14 is not supported; the latest is 13"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\na", "line 2: #EXT-X-STREAM-INF has no BANDWIDTH"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1", "no URI follows the last #EXT-X-STREAM-INF"),
    ])
    func `refuses with the line and the reason`(text: String, description: String) {
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(text) }
        #expect(error?.description == description)
    }

    @Test func `refuses text that is not UTF-8 and text above the limit`() {
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(Array("#EXTM3U\n".utf8) + [0xFF, 0xFE]) }
        #expect(error?.reason == .badText)
        let segments = String(repeating: "#EXTINF:1,\na\n", count: 11)
        for limits in [PlaylistLimits(entries: 10), PlaylistLimits(bytes: 60)] {
            let large = #expect(throws: PlaylistError.self) {
                try Playlist.parse("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + segments, limits: limits)
            }
            #expect(large?.reason == .tooLarge)
        }
    }

    @Test func `variables that multiply are limited`() {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"\(String(repeating: "x", count: 100))\"\n"
        for number in 1...60 {
            text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"{$v\(number - 1)}{$v\(number - 1)}\"\n"
        }
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(text) }
        #expect(error?.reason == .tooLarge)
    }

    @Test func `the use of variables in many lines is limited`() {
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(String(repeating: "x", count: 1000))\"\n"
            + String(repeating: "#EXTINF:6,\n{$a}\n", count: 100)
        #expect(throws: Never.self) { try Playlist.parse(text, limits: PlaylistLimits(bytes: 200_000)) }
        let error = #expect(throws: PlaylistError.self) {
            try Playlist.parse(text, limits: PlaylistLimits(bytes: 50_000))
        }
        #expect(error?.reason == .tooLarge)
    }

    @Test func `an initialization section has the keys in force at its tag`() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="i.mp4"
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:6,
            a.mp4
            """
        guard case .media(let playlist) = try Playlist.parse(text) else { return }
        #expect(playlist.segments[0].keys.isEmpty)
        #expect(playlist.segments[0].map?.keys.map(\.uri) == ["k"])
        guard case .media(let again) = try Playlist.parse(playlist.text) else { return }
        #expect(again.segments == playlist.segments)
    }

    @Test func `no mutation of a playlist traps`() {
        let seed = Array(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:6
            #EXT-X-DEFINE:NAME="a",VALUE="b"
            #EXT-X-START:TIME-OFFSET=1.5,PRECISE=YES
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="{$a}.mp4",BYTERANGE="10@0"
            #EXTINF:6.006,
            #EXT-X-BYTERANGE:10@10
            a.mp4
            #EXT-X-ENDLIST
            """.utf8
        )
        var random = SeededRandom(seed: 1)
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                }
            }
            if let playlist = try? Playlist.parse(bytes) { _ = playlist.text }
        }
    }
}
