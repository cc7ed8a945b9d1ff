import SegueBase
import SegueConformance
import SeguePlaylists
import Testing

@Suite struct `Inspection` {
    private static func packet(_ pid: Int, counter: Int, _ payload: [UInt8]) -> [UInt8] {
        let stuffing = 184 - payload.count
        let fill = [UInt8(stuffing - 1), 0] + [UInt8](repeating: 0xFF, count: stuffing - 2)
        return [0x47, UInt8(0x40 | pid >> 8), UInt8(pid & 0xFF), UInt8(0x30 | counter)] + fill + payload
    }

    private static let associations = packet(
        0,
        counter: 0,
        [0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE0, 0x20, 0, 0, 0, 0]
    )

    private static let map = packet(
        0x20,
        counter: 0,
        [0, 2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0x1B, 0xE1, 0, 0xF0, 0, 0, 0, 0, 0]
    )

    /// An H.264 frame in a packet, with a presentation time below 2^15 ticks.
    private static func frame(_ unit: UInt8, counter: Int, at ticks: Int) -> [UInt8] {
        let time: [UInt8] = [0x21, 0, 1, UInt8(ticks >> 7), UInt8((ticks & 0x7F) << 1 | 1)]
        let parameters: [UInt8] = [0, 0, 0, 1, 0x67, 0x64, 0, 0x1F]
        return packet(
            0x100,
            counter: counter,
            [0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5] + time + parameters + [0, 0, 1, unit, 0x88]
        )
    }

    @Test func `a good transport stream has no faults`() {
        let bytes =
            Self.associations + Self.map + Self.frame(0x65, counter: 5, at: 0)
            + Self.frame(0x41, counter: 6, at: 3600)
        let facts = SegmentFacts.inspecting(bytes, number: 0, url: "a.ts")
        #expect(facts.failure == nil)
        #expect(facts.transport?.beginsWithTables == true)
        #expect(facts.transport?.isInStep == true)
        #expect(facts.transport?.unsteady == [])
        #expect(facts.transport?.counters[0x100] == .init(5, 6))
        #expect(facts.startsWithIDR == true)
        #expect(facts.tracks.first?.parameters == "avc1.64001f")
    }

    @Test func `lost packets, late tables, and decreasing times are found`() {
        let bytes =
            Self.frame(0x41, counter: 5, at: 3600) + Self.associations + Self.map
            + Self.frame(0x65, counter: 8, at: 0) + [0x47]
        let facts = SegmentFacts.inspecting(bytes, number: 0, url: "a.ts")
        #expect(facts.transport?.beginsWithTables == false)
        #expect(facts.transport?.isInStep == false)
        #expect(facts.transport?.unsteady == [0x100])
        #expect(facts.transport?.counters[0x100] == .init(5, 8, breaks: 1))
        #expect(facts.startsWithIDR == false)
    }

    @Test func `the tables of a transport stream may be in its initialization section`() {
        let tables = InitializationFacts.inspecting(Self.associations + Self.map, url: "i.ts")
        let frame = Self.frame(0x65, counter: 5, at: 0)
        let facts = SegmentFacts.inspecting(frame, number: 0, url: "a.ts", initialization: tables)
        #expect(tables.failure == nil && facts.failure == nil)
        #expect(facts.transport?.beginsWithTables == true)
        #expect(facts.tracks.map(\.codec) == ["h264"] && facts.tracks.map(\.samples) == [1])
        let alone = SegmentFacts.inspecting(frame, number: 0, url: "a.ts")
        #expect(alone.failure?.text.contains("has no PAT") == true)
        let document = PlaylistDocument(url: "http://a/i.m3u8", bytes: Array(Self.iFrames(from: 376, map: true).utf8))
        let rules = ["init-readable", "init-brand", "init-mvex", "segment-readable", "ts-tables", "iframe-picture"]
        let subject = MediaSubject(document: document, segments: [facts], initializations: [tables])
        #expect(Validator.findings(subject).filter { rules.contains($0.rule.id) }.map(\.message.text) == [])
    }

    /// A playlist of I-frames in one transport stream, from an offset on.
    private static func iFrames(from offset: Int, map: Bool) -> String {
        "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-I-FRAMES-ONLY\n"
            + (map ? "#EXT-X-MAP:URI=\"a.ts\",BYTERANGE=\"376@0\"\n" : "")
            + "#EXTINF:6,\n#EXT-X-BYTERANGE:188@\(offset + 188)\na.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:188@\(offset)\na.ts\n"
            + "#EXT-X-ENDLIST\n"
    }

    @Test(
        arguments: [
            (376, false, ByteRange(offset: 0, length: 376)), (0, false, nil), (376, true, nil),
            (9_000_000_000_000, false, ByteRange(offset: 0, length: 1 << 20)),
        ] as [(Int, Bool, ByteRange?)]
    )
    func `without a map, the initialization precedes the first I-frame`(offset: Int, map: Bool, range: ByteRange?)
        throws
    {
        guard case .media(let playlist) = try Playlist.parse(Self.iFrames(from: offset, map: map)) else {
            Issue.record("it is no media playlist")
            return
        }
        #expect(playlist.segments.map { playlist.unnamedInitialization(of: $0) } == [range, range])
    }

    @Test func `no bytes trap`() {
        var random = SeededRandom(seed: 1)
        for size in [0, 1, 187, 188, 400, 4000] {
            var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            for start in stride(from: 0, to: size, by: 188) { bytes[start] = 0x47 }
            _ = SegmentFacts.inspecting(bytes, number: 0, url: "")
            if size > 8 { bytes.replaceSubrange(4..<8, with: Array("moof".utf8)) }
            _ = SegmentFacts.inspecting(bytes, number: 0, url: "")
            _ = InitializationFacts.inspecting(bytes, url: "")
        }
    }
}
