import SegueBase
import Testing

@testable import SeguePlaylists

@Suite struct `Date ranges` {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:7\n"

    private func ranges(_ lines: String) throws -> [DateRange] {
        try MediaPlaylist.reading(Self.head + lines + "\n").dateRanges
    }

    private static let all =
        "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-01-02T03:04:05.678Z\","
        + "CUE=\"PRE,ONCE\",END-DATE=\"2026-01-02T03:05:05.678Z\",DURATION=60.25,PLANNED-DURATION=31536000.5,"
        + "X-ASSET-URI=\"http://h/a.m3u8\",X-RESUME-OFFSET=-1.5,X-COM-BYTES=0xA0,X-EMPTY=\"\",SCTE35-CMD=0xFC01,"
        + "SCTE35-OUT=0xFC02,SCTE35-IN=0XfC03"

    @Test func `every attribute is read and written`() throws {
        var expected = DateRange(
            id: "a",
            classID: "com.apple.hls.interstitial",
            startDate: "2026-01-02T03:04:05.678Z",
            duration: Rational(241, 4)
        )
        expected.cues = ["PRE", "ONCE"]
        expected.endDate = "2026-01-02T03:05:05.678Z"
        expected.plannedDuration = Rational(63_072_001, 2)
        expected.scte35Command = "0xFC01"
        expected.scte35Out = "0xFC02"
        expected.scte35In = "0XfC03"
        expected.clientAttributes = [
            "X-ASSET-URI": .string("http://h/a.m3u8"), "X-RESUME-OFFSET": .number("-1.5"),
            "X-COM-BYTES": .hexadecimal("0xA0"), "X-EMPTY": .string(""),
        ]
        #expect(try ranges(Self.all) == [expected])
        var playlist = MediaPlaylist(segments: [])
        playlist.dateRanges = [expected]
        #expect(try MediaPlaylist.reading(playlist.text).dateRanges == [expected])
    }

    @Test func `tags of one ID are one range`() throws {
        let read = try ranges(
            """
            #EXT-X-DATERANGE:ID="splice",START-DATE="2014-03-05T11:15:00Z",PLANNED-DURATION=59.993,SCTE35-OUT=0xFC00
            #EXT-X-DATERANGE:ID="next",CLASS="c",START-DATE="2014-03-05T11:16:00Z",END-ON-NEXT=YES
            #EXTINF:6,
            a.ts
            #EXT-X-DATERANGE:ID="splice",DURATION=59.993,PLANNED-DURATION=1,SCTE35-IN=0xFC01
            """
        )
        var splice = DateRange(id: "splice", startDate: "2014-03-05T11:15:00Z", duration: Rational(59993, 1000))
        splice.plannedDuration = Rational(59993, 1000)
        splice.scte35Out = "0xFC00"
        splice.scte35In = "0xFC01"
        var next = DateRange(id: "next", classID: "c", startDate: "2014-03-05T11:16:00Z")
        next.endsOnNext = true
        #expect(read == [splice, next])
    }

    @Test(arguments: [
        "ID=\"a\"", "START-DATE=\"2026-01-02T03:04:05Z\"", "ID=\"a\",START-DATE=\"soon\"",
        "ID=\"a\",START-DATE=2026-01-02T03:04:05Z", "ID=a,START-DATE=\"2026-01-02T03:04:05Z\"",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",DURATION=-1",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",DURATION=1e3",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",DURATION=99999999999999999999",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",SCTE35-CMD=\"0xFC\"",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",SCTE35-CMD=0x",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",X-A=b",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",X-A=-",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",END-ON-NEXT=NO",
        "ID=\"a\",ID=\"b\",START-DATE=\"2026-01-02T03:04:05Z\"", "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z", "ID", "",
        "ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",REQ-X=\"y\"",
    ])
    func `a malformed tag is ignored`(attributes: String) throws {
        let line = "#EXT-X-DATERANGE:\(attributes)\n"
        let right = "#EXT-X-DATERANGE:ID=\"z\",START-DATE=\"2026-01-02T03:04:05Z\""
        #expect(try ranges(line + right).map(\.id) == ["z"])
    }

    @Test func `an undefined variable is refused there as well`() {
        let error = #expect(throws: PlaylistError.self) { try ranges("#EXT-X-DATERANGE:ID=\"{$who}\"") }
        #expect(error?.reason == .undefinedVariable)
    }

    @Test func `variables are substituted in hexadecimal sequences`() throws {
        let read = try ranges(
            "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"0xFC\"\n"
                + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-02T03:04:05Z\",SCTE35-OUT={$v},X-B={$v}00"
        )
        #expect(read.first?.scte35Out == "0xFC")
        #expect(read.first?.clientAttributes == ["X-B": .hexadecimal("0xFC00")])
    }

    @Test func `each tag stays before its segment when it is written again`() throws {
        let lines = """
            #EXT-X-DATERANGE:ID="0",START-DATE="2026-01-02T03:04:05Z"
            #EXTINF:6,
            a.ts
            #EXT-X-DATERANGE:ID="1",START-DATE="2026-01-02T03:04:05Z"
            #EXT-X-DATERANGE:ID="2",START-DATE="2026-01-02T03:04:05Z"
            #EXTINF:6,
            b.ts
            #EXT-X-DATERANGE:ID="3",START-DATE="2026-01-02T03:04:05Z"

            """
        let playlist = try MediaPlaylist.reading(Self.head + lines)
        #expect(playlist.dateRanges.map(\.position) == [nil, 8, 8, 9])
        #expect(try MediaPlaylist.reading(playlist.text) == playlist)
        var later = playlist
        later.segments.removeFirst()
        later.mediaSequence += 1
        let order = later.text.split(separator: "\n").compactMap { $0.split(separator: "\"").dropFirst().first }
        #expect(order.filter { $0.count == 1 } == ["0", "1", "2", "3"])
    }
}
