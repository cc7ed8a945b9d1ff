import SegueBase
import Testing

@testable import SeguePlaylists

@Suite struct `Playlists of low latency` {
    private static let text = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24.5,HOLD-BACK=12,CAN-SKIP-DATERANGES=YES
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-MEDIA-SEQUENCE:266
        #EXT-X-BITRATE:900
        #EXTINF:4.00008,
        266.mp4
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="k"
        #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
        #EXT-X-PART:DURATION=0.33334,URI="a.mp4",INDEPENDENT=YES,BYTERANGE="20@100"
        #EXT-X-PART:DURATION=0.2,URI="a.mp4",BYTERANGE="30"
        #EXTINF:4.00008,
        #EXT-X-BYTERANGE:50@100
        a.mp4
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=NONE
        #EXT-X-PART:DURATION=0.33334,URI="271.0.mp4",GAP=YES
        #EXT-X-PART:DURATION=0.000000001,URI="271.1.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="271.2.mp4",BYTERANGE-START=7,BYTERANGE-LENGTH=0
        #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="i2.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=KEY,METHOD=NONE
        #EXT-X-RENDITION-REPORT:URI="../1M/waitForMSN.php",LAST-MSN=273,LAST-PART=2
        #EXT-X-RENDITION-REPORT:URI="../4M/waitForMSN.php"
        """

    @Test func `everything is read`() throws {
        let playlist = try MediaPlaylist.reading(Self.text)
        let map = MediaMap(uri: "init.mp4")
        var plain = MediaSegment(uri: "266.mp4", duration: Rational(400_008, 100_000))
        plain.bitrate = 900
        var encrypted = MediaSegment(
            uri: "a.mp4",
            duration: Rational(400_008, 100_000),
            byteRange: ByteRange(offset: 100, length: 50),
            map: map,
            keys: [MediaKey(method: "SAMPLE-AES-CTR", uri: "k")]
        )
        encrypted.programDateTime = "2019-02-14T02:13:36.106Z"
        encrypted.parts = [
            PartialSegment(
                uri: "a.mp4",
                duration: Rational(33334, 100_000),
                isIndependent: true,
                byteRange: ByteRange(offset: 100, length: 20)
            ),
            PartialSegment(uri: "a.mp4", duration: Rational(1, 5), byteRange: ByteRange(offset: 120, length: 30)),
        ]
        var expected = MediaPlaylist(
            segments: [plain, encrypted],
            kind: nil,
            hasEndList: false,
            targetDuration: 4,
            mediaSequence: 266
        )
        expected.declaredVersion = 9
        expected.serverControl = ServerControl(
            canSkipUntil: Rational(49, 2),
            canSkipDateRanges: true,
            holdBack: Rational(12),
            partHoldBack: Rational(1),
            canBlockReload: true
        )
        expected.partTarget = Rational(33334, 100_000)
        expected.open = OpenSegment(
            parts: [
                PartialSegment(uri: "271.0.mp4", duration: Rational(33334, 100_000), isGap: true),
                PartialSegment(uri: "271.1.mp4", duration: Rational(1, 1_000_000_000)),
            ],
            startsDiscontinuity: true,
            map: map
        )
        expected.preloadHints = [
            PreloadHint(kind: .part, uri: "271.2.mp4", byteRangeStart: 7, byteRangeLength: 0),
            PreloadHint(kind: .map, uri: "i2.mp4"),
        ]
        expected.renditionReports = [
            RenditionReport(uri: "../1M/waitForMSN.php", lastMSN: 273, lastPart: 2),
            RenditionReport(uri: "../4M/waitForMSN.php"),
        ]
        #expect(playlist == expected)
        #expect(playlist.nextSequence == 268)
        #expect(playlist.openParts.count == 2)
    }

    @Test func `written playlists read back the same`() throws {
        var playlist = try MediaPlaylist.reading(Self.text)
        playlist.declaredVersion = playlist.requiredVersion
        #expect(try MediaPlaylist.reading(playlist.text) == playlist)
        #expect(playlist.requiredVersion == 6)
    }

    @Test func `a bit rate holds for the segments that follow but those with byte ranges`() throws {
        let text =
            Self.head + "#EXT-X-BITRATE:5\n#EXTINF:1,\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:1@0\nb\n#EXTINF:1,\nc\n"
            + "#EXT-X-BITRATE:6\n#EXTINF:1,\nd\n"
        let playlist = try MediaPlaylist.reading(text)
        #expect(playlist.segments.map(\.bitrate) == [5, nil, 5, 6])
        #expect(try MediaPlaylist.reading(playlist.text).segments == playlist.segments)
        #expect(playlist.text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-BITRATE") }.count == 2)
    }

    @Test func `tags with unknown requirements are ignored`() throws {
        let playlist = try MediaPlaylist.reading(
            Self.head + "#EXT-X-PART-INF:PART-TARGET=1,REQ-X=\"1\"\n#EXT-X-PART:URI=\"p\",DURATION=1,REQ-THING=A\n"
        )
        #expect(playlist.partTarget == nil)
        #expect(playlist.open == nil)
    }

    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    @Test(arguments: [
        ("#EXT-X-PART:DURATION=1", "line 3: #EXT-X-PART has no URI"),
        ("#EXT-X-PART:URI=\"a\"", "line 3: #EXT-X-PART has no DURATION"),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=-1",
            "line 3: DURATION of #EXT-X-PART is not a decimal number of zero or more"
        ),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=1e9",
            "line 3: DURATION of #EXT-X-PART is not a decimal number of zero or more"
        ),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=99999999999999999999",
            "line 3: DURATION of #EXT-X-PART is not a decimal number of zero or more"
        ),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"-5@0\"",
            "line 3: BYTERANGE of #EXT-X-PART is not LENGTH or LENGTH@OFFSET"
        ),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"5\"",
            "line 3: BYTERANGE of #EXT-X-PART is not LENGTH@OFFSET, although no part of the same resource precedes it"
        ),
        (
            "#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"9007199254740992@9007199254740992\"\n"
                + "#EXT-X-PART:URI=\"a\",DURATION=1,BYTERANGE=\"1\"",
            "line 4: BYTERANGE of #EXT-X-PART is not below 2^53"
        ),
        ("#EXT-X-PART-INF:", "line 3: #EXT-X-PART-INF has no PART-TARGET"),
        ("#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-PART-INF:PART-TARGET=1", "line 4: #EXT-X-PART-INF is repeated"),
        (
            "#EXT-X-SERVER-CONTROL:HOLD-BACK=\"1\"",
            "line 3: HOLD-BACK of #EXT-X-SERVER-CONTROL is not a decimal number of zero or more"
        ),
        ("#EXT-X-SERVER-CONTROL:\n#EXT-X-SERVER-CONTROL:", "line 4: #EXT-X-SERVER-CONTROL is repeated"),
        ("#EXT-X-PRELOAD-HINT:URI=\"a\"", "line 3: #EXT-X-PRELOAD-HINT has no TYPE"),
        ("#EXT-X-PRELOAD-HINT:TYPE=PART", "line 3: #EXT-X-PRELOAD-HINT has no URI"),
        (
            "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\",BYTERANGE-START=18446744073709551615",
            "line 3: BYTERANGE-START of #EXT-X-PRELOAD-HINT is not a whole number"
        ),
        ("#EXT-X-RENDITION-REPORT:LAST-MSN=1", "line 3: #EXT-X-RENDITION-REPORT has no URI"),
        (
            "#EXT-X-RENDITION-REPORT:URI=\"a\",LAST-MSN=-1",
            "line 3: LAST-MSN of #EXT-X-RENDITION-REPORT is not a whole number"
        ),
        ("#EXT-X-SKIP:", "line 3: #EXT-X-SKIP has no SKIPPED-SEGMENTS"),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1", "line 4: #EXT-X-SKIP is repeated"),
        ("#EXTINF:1,\na\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1", "line 5: #EXT-X-SKIP follows segments"),
        ("#EXT-X-BITRATE:1.5", "line 3: #EXT-X-BITRATE is not a whole number: \"1.5\""),
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=1\na",
            "line 3: #EXT-X-STREAM-INF cannot occur in a playlist with #EXT-X-TARGETDURATION (line 2)"
        ),
        (
            "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-INDEPENDENT-SEGMENTS",
            "line 4: #EXT-X-INDEPENDENT-SEGMENTS is repeated"
        ),
    ])
    func `refuses with the line and the reason`(lines: String, description: String) {
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(Self.head + lines + "\n") }
        #expect(error?.description == description)
    }

    @Test func `more parts than entries are allowed are refused`() {
        let parts = String(repeating: "#EXT-X-PART:URI=\"a\",DURATION=1\n", count: 11)
        let error = #expect(throws: PlaylistError.self) {
            try Playlist.parse(Self.head + parts, limits: PlaylistLimits(entries: 10))
        }
        #expect(error?.reason == .tooLarge)
    }
}
