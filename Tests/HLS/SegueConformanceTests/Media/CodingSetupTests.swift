import SegueBase
import SegueContainers
import SeguePlaylists
import Testing

@testable import SegueConformance

@Suite struct `Coding set-ups` {
    private static func bytes(_ digits: String) -> [UInt8] {
        let values = digits.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func entry(_ type: String, _ fields: [UInt8], _ boxes: [UInt8], kind: SegmentTrack.Kind)
        -> EntrySetup?
    {
        let table = MadeMovie.big(0, 4) + MadeMovie.big(1, 4) + MadeMovie.box(type, fields + boxes)
        return SampleEntry(table[...]).map { EntrySetup($0, isVideo: kind == .video, isAudio: kind == .audio) }
    }

    private static func frame(_ type: String, _ boxes: [UInt8]) -> EntrySetup? {
        var fields = [UInt8](repeating: 0, count: 78)
        fields.replaceSubrange(24..<28, with: MadeMovie.big(640, 2) + MadeMovie.big(360, 2))
        return entry(type, fields, boxes, kind: .video)
    }

    private static func audio(_ type: String, _ boxes: [UInt8]) -> EntrySetup? {
        entry(type, [UInt8](repeating: 0, count: 28), boxes, kind: .audio)
    }

    private static func elementary(_ decoder: [UInt8], type: UInt8 = 0x40) -> [UInt8] {
        let told = [5, UInt8(decoder.count)] + decoder
        let configuration = [4, UInt8(13 + told.count), type] + MadeMovie.big(0, 12) + told
        return MadeMovie.box(
            "esds",
            MadeMovie.big(0, 4) + [3, UInt8(3 + configuration.count), 0, 0, 0] + configuration
        )
    }

    /// Configurations of x265: HDR10 of 10 bits, and 8 bits.
    private static let highRange =
        "0102200000009000000000003ff000fcfdfafa00000f03a00001001840010c01ffff022000000300"
        + "90000003000003003f959409a10001002e42010102200000030090000003000003003fa005020171"
        + "f2b6595952930bc05a848804f080000003008000000c84a2000100064401c073c189"
    private static let standardRange =
        "0101600000009000000000003ff000fcfdf8f800000f03a00001001840010c01ffff016000000300"
        + "90000003000003003f959409a10001002c42010101600000030090000003000003003fa005020171"
        + "f2e595952930bc05a708000003000800000300c840a2000100064401c073c189"

    @Test func `HEVC declares profile, tier, level, constraints, size, and range`() throws {
        let high = try #require(Self.frame("hvc1", MadeMovie.box("hvcC", Self.bytes(Self.highRange))))
        #expect(high.setup.codec == "hvc1.2.4.L63.90")
        #expect(high.setup.size == Resolution(width: 640, height: 360))
        #expect(high.setup.videoRange == "PQ")
        let standard = try #require(Self.frame("hev1", MadeMovie.box("hvcC", Self.bytes(Self.standardRange))))
        #expect(standard.setup.codec == "hev1.1.6.L63.90")
        #expect(standard.setup.size == Resolution(width: 640, height: 360))
        #expect(standard.sets?.sequences.count == 1 && standard.sets?.pictures.count == 1)
    }

    @Test func `AV1 and VP9 are named by their configurations`() throws {
        let av1 = try #require(Self.frame("av01", MadeMovie.box("av1C", Self.bytes("81010d00"))))
        #expect(av1.setup.codec == "av01.0.01M.08.0.111")
        let high = try #require(Self.frame("av01", MadeMovie.box("av1C", Self.bytes("810dcc00"))))
        #expect(high.setup.codec == "av01.0.13H.10.0.110")
        let vp9 = try #require(Self.frame("vp09", MadeMovie.box("vpcC", Self.bytes("010000000015820202020000"))))
        #expect(vp9.setup.codec == "vp09.00.21.08.01.02.02.02.00")
    }

    @Test func `a color box gives the transfer function`() throws {
        let colour = MadeMovie.box("colr", Array("nclx".utf8) + Self.bytes("00090012000900"))
        let shape = MadeMovie.box("pasp", Self.bytes("0000000400000003"))
        let entry = try #require(Self.frame("vp09", colour + shape))
        #expect(entry.setup.videoRange == "HLG")
        #expect(entry.setup.displaySize == Resolution(width: 853, height: 360))
    }

    @Test func `a matrix that turns by a quarter swaps the sides of the display size`() throws {
        var entry = try #require(Self.frame("vp09", MadeMovie.box("pasp", Self.bytes("0000000400000003"))))
        let head = { (rows: String) in Self.bytes(String(repeating: "00", count: 40) + rows)[...] }
        entry.apply(trackHead: head("00010000" + "00000000"))
        #expect(entry.setup.displaySize == Resolution(width: 853, height: 360))
        entry.apply(trackHead: head("00000000" + "ffff0000"))
        #expect(entry.setup.displaySize == Resolution(width: 360, height: 853))
    }

    @Test(
        arguments: [
            ("1188", "mp4a.40.2", 1, 48_000, false), ("1190", "mp4a.40.2", 2, 48_000, false),
            // With an explicit signal of no SBR, of SBR, and of SBR with PS.
            ("118856e500", "mp4a.40.2", 1, 48_000, false), ("131056e598", "mp4a.40.2", 2, 24_000, true),
            ("130856e59d4880", "mp4a.40.2", 2, 24_000, true),
            // HE-AAC, its second version, and xHE-AAC.
            ("2b118800", "mp4a.40.5", 2, 24_000, true), ("eb098800", "mp4a.40.29", 2, 24_000, true),
            ("f9468000", "mp4a.40.42", nil, 48_000, false),
        ] as [(String, String, Int?, Int, Bool)]
    )
    func `AAC declares its object type, channels, and replication`(
        decoder: String,
        codec: String,
        channels: Int?,
        rate: Int,
        isReplicated: Bool
    ) throws {
        let setup = try #require(Self.audio("mp4a", Self.elementary(Self.bytes(decoder)))).setup
        #expect(setup.codec == codec)
        #expect(channels == nil || setup.channels == channels)
        #expect(setup.sampleRate == rate)
        #expect(setup.saysBandReplication == isReplicated)
    }

    @Test(
        arguments: [
            ("ac-3", "dac3", "101140", "ac-3", 2, 48_000), ("ec-3", "dec3", "0e00200f00", "ec-3", 6, 48_000),
            ("Opus", "dOps", "000201380000bb80000000", "Opus", 2, 48_000),
            (
                "fLaC", "dfLa",
                "000000008000002212001200000a5e0014940bb80370000ea800dc2a2d4b80bcc736fc77d44697d21a34", "fLaC", 2,
                48_000
            ),
            ("alac", "alac", "00000000000010000018280a0e02000000006004002328000000bb80", "alac", 2, 48_000),
        ] as [(String, String, String, String, Int, Int)]
    )
    func `other audio codecs declare their channels`(
        entry: String,
        box: String,
        content: String,
        codec: String,
        channels: Int,
        rate: Int
    ) throws {
        let setup = try #require(Self.audio(entry, MadeMovie.box(box, Self.bytes(content)))).setup
        #expect(setup.codec == codec)
        #expect(setup.channels == channels)
        #expect(setup.sampleRate == rate)
        #expect(!setup.hasObjects)
    }

    @Test func `audio objects beside the channels are counted`() throws {
        let setup = try #require(Self.audio("ec-3", MadeMovie.box("dec3", Self.bytes("0e00200f000110")))).setup
        #expect(setup.hasObjects)
    }

    @Test func `an encrypted sample entry has the values of the original one`() throws {
        let scheme = MadeMovie.box(
            "sinf",
            MadeMovie.box("frma", Array("vp09".utf8))
                + MadeMovie.box(
                    "schi",
                    MadeMovie.box("tenc", [0, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 1, count: 16))
                )
        )
        let entry = try #require(
            Self.frame("encv", MadeMovie.box("vpcC", Self.bytes("010000000015820202020000")) + scheme)
        )
        #expect(entry.setup.codec?.hasPrefix("vp09.00.21") == true)
        #expect(!entry.hasVectors)
    }

    @Test(
        arguments: [
            ("avc1.64001F", "avc1.64001f", true), ("avc3.64001f", "avc1.64001f", true),
            ("avc1.64001f", "avc1.64001e", false),
            ("hvc1.1.6.L93.B0", "hvc1.1.6.L93.B0", true), ("hvc1.1.6.L93.B0.00", "hvc1.1.6.L93.B0", true),
            ("hvc1.1.06.L93.B0", "hvc1.1.6.L93.B0", true), ("hev1.1.6.L93.B0", "hvc1.1.6.L93.B0", false),
            ("hvc1.2.6.L93.B0", "hvc1.1.6.L93.B0", false), ("hvc1.1.4.L93.B0", "hvc1.1.6.L93.B0", false),
            ("hvc1.1.6.H93.B0", "hvc1.1.6.L93.B0", false), ("hvc1.1.6.L93.90", "hvc1.1.6.L93.B0", false),
            ("mp4a.40.5", "mp4a.40.2", true), ("mp4a.40.2", "mp4a.40.5", false), ("mp4a.40.34", "mp4a.6b", true),
            ("mp4a.69", "mp4a.40.33", true), ("mp4a.A6", "ec-3", true), ("flac", "fLaC", true), ("opus", "Opus", true),
            ("av01.0.01M.08", "av01.0.01M.08.0.111", true), ("av01.0.01M.10", "av01.0.01M.08.0.111", false),
            ("vp09.00.21.08", "vp09.00.21.08.01.02.02.02.00", true), ("vp9", "vp09", false), ("ac-3", "ec-3", false),
        ]
    )
    func `names of the same meaning agree`(said: String, found: String, agree: Bool) {
        #expect(CodecName.agree(said, found) == agree)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", Rational(0)), ("2026-11-24T07:16:20.250+01:00", Rational(1_795_500_980_250, 1000)),
            ("2024-02-29T12:00:00.5-0030", Rational(17_092_098_005, 10)), ("2026-01-01", nil),
            ("2026-13-01T00:00:00Z", nil),
            ("2026-01-01T00:00:00+1", nil), ("2026-01-01T00:00:00.Z", nil),
        ] as [(String, Rational?)]
    )
    func `dates are seconds since 1970`(text: String, seconds: Rational?) {
        #expect(ISO8601Time(text)?.exactSeconds == seconds)
    }

    @Test func `any bytes of an audio configuration are safe`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let any = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            _ = (try? AVCSequence(any[...]), try? HEVCSequence(any[...]), AudioSetup.advanced(any[...]))
            _ = (AudioSetup.dolby(any[...], isEnhanced: true), AudioSetup.frames(any[...], codec: "ac3"))
            for type in ["avc1", "hvc1", "av01", "vp09"] {
                _ = Self.frame(
                    type,
                    MadeMovie.box(["avc1": "avcC", "hvc1": "hvcC", "av01": "av1C"][type] ?? "vpcC", any)
                )
            }
            var sets = ParameterSets(isHEVC: true)
            sets.add([0x42, 1] + any)
            sets.add([0x44, 1] + any)
            _ = sets.missing(for: [0x26, 1] + any)
        }
    }
}
