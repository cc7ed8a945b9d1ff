import SegueBase
import SegueTestSupport
import Testing

@testable import SeguePlaylists

@Suite struct `Hostile playlists` {
    private static let live = """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24,CAN-SKIP-DATERANGES=YES
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-MEDIA-SEQUENCE:9007199254740992
        #EXT-X-SKIP:SKIPPED-SEGMENTS=9007199254740992,RECENTLY-REMOVED-DATERANGES="a\tb"
        #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
        #EXT-X-MAP:URI="i.mp4",BYTERANGE="9007199254740992@9007199254740992"
        #EXT-X-BITRATE:9007199254740992
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-02T03:04:05Z",DURATION=8999999999.999999999,X-A=-1.5,X-B="c",CUE="PRE"
        #EXT-X-PART:DURATION=9000000000,URI="a.mp4",BYTERANGE="9007199254740992@0"
        #EXT-X-BYTERANGE:9007199254740992
        #EXTINF:9999999.999999999,
        a.mp4
        #EXT-X-BYTERANGE:1
        #EXTINF:4,
        a.mp4
        #EXT-X-PART:DURATION=1,URI="b",INDEPENDENT=YES,GAP=YES
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="c",BYTERANGE-START=9007199254740992,BYTERANGE-LENGTH=9007199254740992
        #EXT-X-RENDITION-REPORT:URI="d",LAST-MSN=9007199254740992,LAST-PART=9007199254740992
        """

    private static let multivariant = """
        #EXTM3U
        #EXT-X-DEFINE:NAME="a",VALUE="b"
        #EXT-X-CONTENT-STEERING:SERVER-URI="{$a}",PATHWAY-ID="c"
        #EXT-X-SESSION-DATA:DATA-ID="d",URI="e",FORMAT=RAW
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k",IV=0x1
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",BIT-DEPTH=9007199254740992,CHANNELS="9007199254740992/-/X"
        #EXT-X-STREAM-INF:BANDWIDTH=9007199254740992,SCORE=9000000000.999999999,ALLOWED-CPC="a:b/c,:",REQ-VIDEO-LAYOUT="CH-MONO/,"
        v.m3u8
        """

    @Test func `no mutation traps, and its written form can be read`() throws {
        let lines = Self.live.split(separator: "\n").filter {
            !$0.hasPrefix("#EXT-X-SKIP") && !$0.contains("BYTERANGE")
        }
        let former = try MediaPlaylist.reading(lines.joined(separator: "\n"))
        _ = try Playlist.parse(Self.live)
        _ = try Playlist.parse(Self.multivariant)
        var random = SeededRandom(seed: 1)
        let pieces = ["-", "e9", "99999999999999999999", ".", "\"", ",", "=", "\n", "0x", "{$a}", "\t", "@", "REQ-"]
        for round in 0..<4000 {
            var bytes = Array((round.isMultiple(of: 3) ? Self.multivariant : Self.live).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random)?.utf8 ?? "".utf8, at: index)
                case 2: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                default:
                    // A line is repeated elsewhere.
                    let lines = bytes.split(separator: 0x0A)
                    let line = lines.randomElement(using: &random) ?? []
                    let place = lines.randomElement(using: &random)?.startIndex ?? 0
                    bytes.insert(contentsOf: line + [0x0A], at: place)
                }
            }
            guard let playlist = try? Playlist.parse(bytes, from: "http://h/p?a=b") else { continue }
            _ = playlist.text
            guard case .media(let media) = playlist else { continue }
            _ = try? media.applied(to: former)
            _ = try? former.applied(to: media)
            _ = media.delta(skipping: round % 5).text
        }
    }

    @Test(arguments: [
        "#EXT-X-PART:URI=\"a\",DURATION=1\n", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\"\n",
        "#EXT-X-RENDITION-REPORT:URI=\"a\"\n",
    ])
    func `repeatable lines are limited`(line: String) {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + String(repeating: line, count: 101)
        let error = #expect(throws: PlaylistError.self) {
            try Playlist.parse(text, limits: PlaylistLimits(entries: 100))
        }
        #expect(error?.reason == .tooLarge)
        #expect(error?.line == 103)
    }

    @Test func `date ranges, session data and variables are bounded`() {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
        let ranges = (0..<101).map { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"2026-01-02T03:04:05Z\"\n" }
        let variables = (0..<101).map { "#EXT-X-DEFINE:NAME=\"\($0)\",VALUE=\"\"\n" }
        let data = (0..<101).map { "#EXT-X-SESSION-DATA:DATA-ID=\"\($0)\",VALUE=\"\"\n" }
        let keys = (0..<101).map { "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"\($0)\"\n" }
        for text in [
            head + ranges.joined(), head + variables.joined(), "#EXTM3U\n" + data.joined(), "#EXTM3U\n" + keys.joined(),
        ] {
            let error = #expect(throws: PlaylistError.self) {
                try Playlist.parse(text, limits: PlaylistLimits(entries: 100))
            }
            #expect(error?.reason == .tooLarge)
        }
    }

    @Test func `a line above the limit is refused`() {
        let text = "#EXTM3U\n#EXT-X-DATERANGE:ID=\"" + String(repeating: "\u{7F}", count: 70_000) + "\"\n"
        let error = #expect(throws: PlaylistError.self) { try Playlist.parse(text) }
        #expect(error?.reason == .tooLarge)
        #expect(error?.line == 2)
    }
}
