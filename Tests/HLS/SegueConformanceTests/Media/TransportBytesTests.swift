import SegueBase
import SegueConformance
import SegueContainers
import SeguePlaylists
import Testing

@Suite struct `Bytes of transport streams` {
    /// One PES packet of audio in packets of 188 bytes.
    private static func audio(_ frames: [[UInt8]], at time: Int, counter: Int, said: Int? = nil) -> [UInt8] {
        let content = frames.flatMap { $0 }
        let head = [0, 0, 1, 0xC0] + MadeMovie.big(said ?? content.count + 8, 2) + [0x80, 0x80, 5] + stamp(2, time)
        return packets(0x101, head + content, counter: counter)
    }

    private static func stamp(_ mark: Int, _ time: Int) -> [UInt8] {
        [UInt8(mark << 4 | (time >> 30 & 7) << 1 | 1)] + MadeMovie.big((time >> 15 & 0x7FFF) << 1 | 1, 2)
            + MadeMovie.big((time & 0x7FFF) << 1 | 1, 2)
    }

    /// The packets that carry a payload; the last one is filled up in its adaptation field.
    private static func packets(_ pid: Int, _ payload: [UInt8], counter: Int) -> [UInt8] {
        var (rest, result, counter) = (payload[...], [UInt8](), counter)
        while !rest.isEmpty {
            let part = rest.prefix(184)
            let head = [0x47, UInt8((rest.count == payload.count ? 0x40 : 0) | pid >> 8), UInt8(pid & 0xFF)]
            let fill = 184 - part.count
            let field: [UInt8] =
                fill == 0 ? [] : [UInt8(fill - 1)] + (fill > 1 ? [0] + [UInt8](repeating: 0xFF, count: fill - 2) : [])
            result += head + [UInt8((fill == 0 ? 0x10 : 0x30) | counter & 15)] + field + part
            rest = rest.dropFirst(184)
            counter += 1
        }
        return result
    }

    /// A packet with nothing but a clock reference.
    private static func clock(_ ticks: Int, pid: Int = 0x101) -> [UInt8] {
        [0x47, UInt8(pid >> 8), UInt8(pid & 0xFF), 0x20, 183, 0x10] + MadeMovie.big(ticks << 15 | 0x7E00, 6)
            + [UInt8](repeating: 0xFF, count: 176)
    }

    /// A frame of AAC of 48 kHz and 100 bytes.
    private static let frame: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x0C, 0x9F, 0xFC] + [UInt8](repeating: 0, count: 93)

    private static let tables = Array(
        TransportStream.segment(hasVideo: false, hasAudio: true, size: 0, hasMedia: false)
    )

    private static func faults(_ bytes: [UInt8]) -> [MediaFault.Kind] {
        SegmentFacts.inspecting(bytes, number: 0, url: "a.ts").faults.map(\.kind)
    }

    private static let good =
        tables + clock(0) + audio([frame, frame], at: 9000, counter: 0) + audio([frame], at: 12_840, counter: 2)

    @Test func `good content has no faults, and declares its codecs`() throws {
        let facts = SegmentFacts.inspecting(Self.good, number: 0, url: "a.ts")
        #expect(facts.faults == [])
        let track = try #require(facts.tracks.first)
        #expect(track.parameters == "mp4a.40.2")
        #expect(track.setup?.channels == 2)
        #expect(track.setup?.sampleRate == 48_000)
    }

    private static func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = good
        change(&bytes)
        return bytes
    }

    /// Tables with another PID for the audio stream, and a matching checksum.
    private static func twice() -> [UInt8] {
        let streams: [UInt8] = [0x0F, 0xE1, 1, 0xF0, 0, 0x0F, 0xE1, 1, 0xF0, 0]
        return section(0x1000, [2, 0xB0, UInt8(streams.count + 13), 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0] + streams)
    }

    private static func section(_ pid: Int, _ body: [UInt8]) -> [UInt8] {
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in body {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum & 0x8000_0000 != 0 ? checksum << 1 ^ 0x04C1_1DB7 : checksum << 1 }
        }
        return packets(pid, [0] + body + MadeMovie.big(Int(checksum), 4), counter: 0)
    }

    private static let programs = section(
        0,
        [0, 0xB0, 17, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 2, 0xF0, 1]
    )

    /// Bytes with one fault, and the fault.
    struct Faulty: Sendable {
        let kind: MediaFault.Kind
        let bytes: [UInt8]

        init(_ kind: MediaFault.Kind, _ parts: [UInt8]...) { (self.kind, bytes) = (kind, parts.flatMap { $0 }) }
    }

    private static let start = tables + clock(0)

    static let faulty: [Faulty] = [
        Faulty(.checksum, changed { $0[18] ^= 1 }), Faulty(.checksum, changed { $0[188 + 10] ^= 1 }),
        Faulty(.programs, programs, Array(good.dropFirst(188))),
        Faulty(.packetIDs, Array(good.prefix(188)), twice(), Array(good.dropFirst(376))),
        Faulty(.soundClockInterval, good, clock(9_100)),
        Faulty(
            .clockInterval,
            TransportStream.segment(hasVideo: true, hasAudio: true, size: 0, hasMedia: false),
            clock(0),
            clock(9_100)
        ),
        Faulty(.lateness, tables, clock(9_500), audio([frame], at: 9_000, counter: 0)),
        Faulty(.lateness, start, audio([frame], at: 1_000_000, counter: 0)),
        Faulty(.damage, good, clock(9_000).enumerated().map { $0 == 1 ? $1 | 0x80 : $1 }),
        Faulty(.scrambling, good, clock(9_000).enumerated().map { $0 == 3 ? $1 | 0x80 : $1 }),
        Faulty(.streamType, start, audio([[UInt8](repeating: 0x55, count: 100)], at: 9000, counter: 0)),
        Faulty(.packetLength, good, audio([frame], at: 14_760, counter: 3, said: 90)),
        Faulty(.soundPace, good, audio([frame], at: 18_000, counter: 3)),
        Faulty(.soundPace, good, audio([frame], at: 12_840, counter: 3)),
    ]

    @Test(arguments: faulty.indices) func `a fault is found`(index: Int) {
        #expect(Set(Self.faults(Self.faulty[index].bytes)) == [Self.faulty[index].kind])
    }

    private static let pictures =
        Array(
            TransportStream.segment(hasVideo: true, hasAudio: false, size: 0, hasMedia: false)
        ) + clock(0, pid: 0x100)
    private static let delimiter: [UInt8] = [0, 0, 0, 1, 9, 0xF0]
    private static let sets = [0, 0, 0, 1] + MadeMovie.sequenceSet + [0, 0, 0, 1] + MadeMovie.pictureSet
    private static let keyframe: [UInt8] = [0, 0, 1, 0x65, 0x88, 0x84, 0, 0x10, 0xFF, 0x55, 0x55]
    private static let predicted: [UInt8] = [0, 0, 1, 0x41, 0xE0, 0x84, 0, 0x10, 0xFF, 0x55, 0x55]

    /// Frames of video, each in a PES packet.
    private static func frames(_ frames: [UInt8]...) -> [UInt8] {
        pictures
            + frames.enumerated().flatMap { number, frame in
                let head: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5] + stamp(2, 9000 + 3600 * number)
                return packets(0x100, head + frame, counter: number)
            }
    }

    @Test(
        arguments: [
            (frames(delimiter + sets + keyframe, delimiter + predicted), []),
            (frames(delimiter + sets + keyframe, predicted), [.delimiters]),
            (frames(delimiter + delimiter + sets + keyframe, delimiter + predicted), [.delimiters]),
            (frames(delimiter + sets + keyframe + delimiter, delimiter + predicted), [.delimiters]),
            (frames(delimiter + sets + keyframe + sets, delimiter + predicted), [.misplacedParameters]),
            (frames(delimiter + sets + keyframe, delimiter + changedSets + keyframe), [.changingParameters]),
            // The packets are not aligned with frames, so that a delimiter may be at the end of one.
            (frames(delimiter + sets + keyframe + delimiter, [0x55] + predicted + delimiter), []),
        ] as [([UInt8], [MediaFault.Kind])]
    )
    func `delimiters and parameter sets of frames are checked`(bytes: [UInt8], kinds: [MediaFault.Kind]) {
        #expect(Set(Self.faults(bytes)) == Set(kinds))
    }

    private static let changedSets: [UInt8] =
        [0, 0, 0, 1] + MadeMovie.sequenceSet.enumerated().map { $0 == 3 ? 0x1F : $1 }
        + [0, 0, 0, 1] + MadeMovie.pictureSet

    /// A PMT of audio and a stream of ID3 tags.
    private static func map(version: UInt8) -> [UInt8] {
        let streams: [UInt8] = [0x0F, 0xE1, 1, 0xF0, 0, 0x15, 0xE1, 2, 0xF0, 0]
        let head: [UInt8] = [2, 0xB0, UInt8(streams.count + 13), 0, 1, 0xC1 | version << 1, 0, 0, 0xE1, 1, 0xF0, 0]
        return section(0x1000, head + streams)
    }

    @Test func `a changed PMT needs another version`() {
        #expect(Self.faults(Self.good + Self.map(version: 0)) == [.mapVersion])
        #expect(Self.faults(Self.good + Self.map(version: 1)) == [])
        #expect(Self.faults(Self.good + Self.map(version: 1) + Self.map(version: 1)) == [])
    }

    @Test(arguments: [(0x80, [.alignment]), (0x84, [])] as [(UInt8, [MediaFault.Kind])])
    func `packets of ID3 tags announce their start`(marks: UInt8, kinds: [MediaFault.Kind]) {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
        let head: [UInt8] = [0, 0, 1, 0xBD, 0, UInt8(tag.count + 8), marks, 0x80, 5] + Self.stamp(2, 9000)
        let start = Array(Self.good.prefix(188)) + Self.map(version: 0) + Array(Self.good.dropFirst(376))
        #expect(Self.faults(start + Self.packets(0x102, head + tag, counter: 0)) == kinds)
    }

    @Test func `frames presented before they are decoded are found`() {
        let head: [UInt8] = [0, 0, 1, 0xC0, 0, 113, 0x80, 0xC0, 10] + Self.stamp(3, 9000) + Self.stamp(1, 9500)
        let bytes = Self.tables + Self.clock(0) + Self.packets(0x101, head + Self.frame, counter: 0)
        #expect(Self.faults(bytes) == [.order])
    }

    @Test func `a clock that restarts breaks no rule`() {
        let end = 1 << 33
        let bytes =
            Self.tables + Self.clock(end - 4000) + Self.audio([Self.frame], at: end - 1000, counter: 0)
            + Self.clock(1000)
            + Self.audio([Self.frame], at: 920, counter: 1) + Self.clock(1001)
        // The second frame is on time although the clock restarted; its bytes are late.
        #expect(Self.faults(bytes) == [.lateness])
    }
}
