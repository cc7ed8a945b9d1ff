import Foundation
import SegueBase
import SeguePlaylists
import SegueTestSupport
import Testing

@Suite struct `Looking into segments` {
    @Test func `an initialization section has tracks, codecs, and clocks`() throws {
        let found = try SegmentInspector.inspect(SegmentBytes.initialization)
        #expect(found.layout == .fragmentedMP4)
        #expect(found.hasInitialization && !found.hasMedia)
        #expect(found.tracks.map(\.kind) == [.video, .audio])
        #expect(found.tracks.map(\.codec) == ["h264", "aac"])
        #expect(found.tracks.map { $0.initialization?.timeScale } == [24000, 48000])
        #expect(found.tracks.map { $0.initialization?.editOffset } == [Rational(-2002, 24000), .zero])
        #expect(found.tracks.map(\.duration) == [nil, nil])
    }

    @Test func `a fragment's times use the clocks of its initialization section`() throws {
        let initialization = try SegmentInspector.inspect(SegmentBytes.initialization)
        let found = try SegmentInspector.inspect(SegmentBytes.fragment, initialization: initialization)
        #expect(!found.hasInitialization && found.hasMedia)
        #expect(found.tracks.map(\.codec) == ["h264", "aac"])
        #expect(found.tracks.map(\.samples) == [3, 5])
        #expect(found.tracks.map(\.decodeStart) == [Rational(10_010, 1000), Rational(10)])
        #expect(found.tracks.map(\.start) == [Rational(10_010, 1000), Rational(10)])
        #expect(found.tracks.map(\.last) == [Rational(242_242, 24000), Rational(484_096, 48000)])
        #expect(found.tracks.map(\.duration) == [Rational(3003, 24000), Rational(5120, 48000)])
        #expect(found.start == Rational(10))
        let whole = try SegmentInspector.inspect(SegmentBytes.initialization + SegmentBytes.fragment)
        #expect(whole.hasInitialization && whole.hasMedia)
        #expect(whole.tracks.map(\.start) == found.tracks.map(\.start))
    }

    @Test func `a fragment alone has tracks without codecs`() throws {
        let found = try SegmentInspector.inspect(SegmentBytes.fragment)
        #expect(found.tracks.map(\.kind) == [.other, .other])
        #expect(found.tracks.map(\.start) == [nil, nil])
    }

    @Test func `a transport stream has streams, languages, and times beyond the clock's wrap`() throws {
        let found = try SegmentInspector.inspect(SegmentBytes.transportStream)
        #expect(found.layout == .transportStream)
        #expect(found.tracks.map(\.kind) == [.video, .audio, .metadata])
        #expect(found.tracks.map(\.codec) == ["h264", "aac", "id3"])
        #expect(found.tracks.map(\.language) == [nil, "deu", nil])
        #expect(found.tracks.map(\.samples) == [3, 2, 0])
        let wrap = Int64(1) << 33
        #expect(found.tracks[0].decodeStart == Rational(wrap - 6000, 90_000))
        #expect(found.tracks[0].start == Rational(wrap - 3000, 90_000))
        #expect(found.tracks[0].last == Rational(wrap + 6000, 90_000))
        #expect(found.tracks[1].last == Rational(wrap + 1800, 90_000))
        #expect(found.syncLosses == 0)
    }

    @Test func `a transport stream is read on after lost bytes`() throws {
        var bytes = SegmentBytes.transportStream
        bytes.removeSubrange(188 * 5 + 20..<188 * 5 + 30)
        let found = try SegmentInspector.inspect([1, 2, 3] + bytes + SegmentBytes.transportStream)
        #expect(found.syncLosses == 1)
        // The packet with the gap is lost, and the one after it.
        #expect(found.tracks[0].samples == 5)
        #expect(found.tracks[1].samples == 3)
    }

    @Test(arguments: [
        (0x02, "mpeg2video"), (0x03, "mp3"), (0x04, "mp3"), (0x11, "aac_latm"), (0x24, "hevc"), (0x81, "ac3"),
        (0x87, "eac3"), (0x42, "stream type 0x42"),
    ])
    func `stream types name codecs`(type: Int, codec: String) throws {
        let bytes =
            SegmentBytes.packet(0, SegmentBytes.section(0, [0, 1, 0xE0, 0x20]))
            + SegmentBytes.packet(0x20, SegmentBytes.programMap([(type, 0x100, [])]))
        #expect(try SegmentInspector.inspect(bytes).tracks.map(\.codec) == [codec])
    }

    @Test func `packed audio has the time of its tag and the duration of its frames`() throws {
        let found = try SegmentInspector.inspect(SegmentBytes.timestampTag(900_000) + SegmentBytes.adts(frames: 43))
        #expect(found.layout == .packedAudio)
        #expect(found.tracks.map(\.codec) == ["aac"])
        #expect(found.tracks.map(\.start) == [Rational(10)])
        #expect(found.tracks.map(\.duration) == [Rational(43 * 1024, 44100)])
        #expect(!found.hasVideo && found.hasAudio)
    }

    @Test func `WebVTT is text`() throws {
        #expect(try SegmentInspector.inspect(Array("WEBVTT\n\n".utf8)).tracks.map(\.codec) == ["webvtt"])
    }

    @Test(arguments: [
        ([UInt8](), "the segment is empty"),
        (Array("<html>Not found</html>".utf8), "not a segment: neither MPEG-TS, fMP4, packed audio nor WebVTT"),
        (SegmentBytes.box("ftyp", [0]), "the fMP4 segment has neither moov nor moof"),
        (SegmentBytes.packet(0x55, [1]), "the transport stream has no PAT"),
        (SegmentBytes.packet(0, SegmentBytes.section(0, [0, 1, 0xE0, 0x20])), "the transport stream has no PMT"),
    ])
    func `other files than segments are refused`(bytes: [UInt8], message: String) {
        let error = #expect(throws: SegmentError.self) { try SegmentInspector.inspect(bytes) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        SegmentBytes.initialization + SegmentBytes.fragment, SegmentBytes.transportStream,
        SegmentBytes.timestampTag(1) + SegmentBytes.adts(frames: 20),
    ])
    func `no mutation traps`(bytes: [UInt8]) throws {
        let initialization = try SegmentInspector.inspect(SegmentBytes.initialization)
        try mutate(bytes, times: 4000, seed: 7) {
            _ = try? SegmentInspector.inspect($0, initialization: initialization)
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SEGUE_MEDIA"] != nil, "SEGUE_MEDIA names no folder"))
    func `real files and their mutations do not trap`() throws {
        let root = try #require(ProcessInfo.processInfo.environment["SEGUE_MEDIA"])
        for file in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
            let handle = FileHandle(forReadingAtPath: root + "/" + file)
            guard let start = try? handle?.read(upToCount: 100_000), !start.isEmpty else { continue }
            let bytes = [UInt8](start)
            _ = try? SegmentInspector.inspect(bytes)
            try mutate(bytes, times: 10, seed: 11) { _ = try? SegmentInspector.inspect($0) }
        }
    }

    private func mutate(_ bytes: [UInt8], times: Int, seed: UInt64, _ body: ([UInt8]) throws -> Void) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<times {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<mutant.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutant[index] = UInt8.random(in: 0...255, using: &random)
                case 1: mutant[index] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
                case 2: mutant.removeSubrange(index..<min(mutant.count, index + 5))
                default: mutant.insert(contentsOf: mutant[index..<min(mutant.count, index + 8)], at: index)
                }
                if mutant.isEmpty { mutant = [0] }
            }
            try body(mutant)
        }
    }
}
