import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Segment bytes` {
    /// The packets of a transport stream by PID.
    struct Transport {
        var counters: [Int: [Int]] = [:]
        var clocks: [Int64] = []
        var pids: [Int] = []

        init(_ bytes: [UInt8]) throws {
            try #require(bytes.count % 188 == 0)
            for start in stride(from: 0, to: bytes.count, by: 188) {
                try #require(bytes[start] == 0x47)
                let pid = Int(bytes[start + 1] & 31) << 8 | Int(bytes[start + 2])
                pids.append(pid)
                if bytes[start + 3] & 0x10 != 0 { counters[pid, default: []].append(Int(bytes[start + 3] & 15)) }
                guard bytes[start + 3] & 0x20 != 0, bytes[start + 4] > 6, bytes[start + 5] & 0x10 != 0 else { continue }
                let high = bytes[start + 6..<start + 10].reduce(Int64(0)) { $0 << 8 | Int64($1) }
                clocks.append(high << 1 | Int64(bytes[start + 10] >> 7))
            }
        }
    }

    @Test(arguments: Rendition.principal, ["aac", "ac3", "libmp3lame", "flac"])
    func `transport streams can be joined in any order`(rendition: Rendition, codec: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, container: "matroska", audioCodec: codec).write(in: folder)
        let presentation = try PresentationTests.open(path)
        var lastClock: Int64 = 0
        for segment in presentation.plan.segments {
            let bytes = try presentation.segment(
                segment.number,
                of: rendition,
                in: .ts,
                cancellation: Cancellation()
            )
            let stream = try Transport(bytes)
            #expect(stream.pids.prefix(2) == [0, 0x1000])
            #expect(stream.counters[0] == [segment.number % 16] && stream.counters[0x1000] == [segment.number % 16])
            for (pid, counters) in stream.counters where pid != 0 && pid != 0x1000 {
                #expect(counters.count % 16 == 0)
                #expect(counters == counters.indices.map { $0 % 16 })
            }
            #expect(Set(stream.pids).count == (rendition == .full ? 4 : 3))
            #expect(stream.clocks == stream.clocks.sorted())
            #expect(try #require(stream.clocks.first) > lastClock)
            lastClock = try #require(stream.clocks.last)
        }
    }

    @Test(arguments: ["aac", "libmp3lame"])
    func `clock references are at most a tenth of a second apart`(codec: String) throws {
        let folder = try TestFolder()
        // Frames longer than a second that end before the audio, and audio with a low bit rate.
        var slow = Clip(seconds: 25, container: "matroska", audioCodec: codec)
        slow.durations = [30, 2]
        var ending = Clip(seconds: 2, container: "matroska", bFrames: 3, audioCodec: codec)
        ending.audioSeconds = 20
        var quiet = Clip(seconds: 25, container: "matroska", audioCodec: codec)
        (quiet.sampleRate, quiet.channels) = (16000, 1)
        for (number, clip) in [slow, ending, quiet].enumerated() {
            let presentation = try PresentationTests.open(clip.write(in: folder, name: "clip\(number)"))
            for rendition in Rendition.principal {
                let clocks = try presentation.plan.segments.flatMap { segment in
                    try Transport(
                        presentation.segment(segment.number, of: rendition, in: .ts, cancellation: Cancellation())
                    ).clocks
                }
                let steps = zip(clocks, clocks.dropFirst()).map { $1 - $0 }
                #expect(steps.allSatisfy { 0...9000 ~= $0 }, "\(number) \(rendition): \(steps.max() ?? 0)")
                #expect(clocks.count > 100)
            }
        }
    }

    /// The tracks of a fragment: their start and sample durations.
    static func fragments(_ bytes: [UInt8]) -> [(start: UInt64, duration: UInt64)] {
        var result: [(UInt64, UInt64)] = []
        func number(_ place: Int, _ size: Int) -> UInt64 {
            bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
        }
        func walk(_ range: Range<Int>) {
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                let size = Int(number(place, 4))
                switch String(decoding: bytes[place + 4..<place + 8], as: UTF8.self) {
                case "moof", "traf": walk(place + 8..<place + size)
                case "tfdt": result.append((number(place + 12, 8), 0))
                case "trun":
                    let count = Int(number(place + 12, 4))
                    result[result.count - 1].1 += (0..<count).reduce(0) { $0 + number(place + 20 + $1 * 16, 4) }
                default: break
                }
                place += max(8, size)
            }
        }
        walk(0..<bytes.count)
        return result
    }

    /// The runs of a fragment in byte order, with their start in seconds.
    static func runs(_ bytes: [UInt8], timescales: [Int64]) -> [(offset: Int, size: Int, time: Double)] {
        func number(_ place: Int, _ size: Int) -> Int { bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) } }
        var result: [(offset: Int, size: Int, time: Double)] = []
        var (fragment, track, time) = (0, -1, 0)
        func walk(_ range: Range<Int>) {
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                switch String(decoding: bytes[place + 4..<place + 8], as: UTF8.self) {
                case "moof":
                    fragment = place
                    walk(place + 8..<place + number(place, 4))
                case "traf":
                    track += 1
                    walk(place + 8..<place + number(place, 4))
                case "tfdt": time = number(place + 12, 8)
                case "trun":
                    let rows = (0..<number(place + 12, 4)).map { place + 20 + $0 * 16 }
                    result.append(
                        (
                            fragment + number(place + 16, 4), rows.reduce(0) { $0 + number($1 + 4, 4) },
                            Double(time) / Double(timescales[track])
                        )
                    )
                    time += rows.reduce(0) { $0 + number($1, 4) }
                default: break
                }
                place += max(8, number(place, 4))
            }
        }
        walk(0..<bytes.count)
        return result.sorted { $0.offset < $1.offset }
    }

    @Test func `video and audio are interleaved`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, container: "matroska", audioCodec: "aac").write(in: folder)
        let presentation = try PresentationTests.open(path)
        for segment in presentation.plan.segments {
            let bytes = try presentation.segment(segment.number, of: .full, in: .fmp4, cancellation: Cancellation())
            let runs = Self.runs(bytes, timescales: [90000, 44100])
            #expect(runs.count >= Int(segment.duration.seconds * 4) - 2)
            for (run, next) in zip(runs, runs.dropFirst()) {
                #expect(next.offset == run.offset + run.size)
                #expect(abs(next.time - run.time) < 0.6)
            }
            #expect(runs.last.map { $0.offset + $0.size } == bytes.count)
        }
    }

    @Test(arguments: Rendition.principal, ["aac", "libmp3lame", "flac"])
    func `each fragment begins at the end of its predecessor`(rendition: Rendition, codec: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, container: "matroska", audioCodec: codec).write(in: folder)
        let presentation = try PresentationTests.open(path)
        var ends: [UInt64]?
        for segment in presentation.plan.segments {
            let tracks = Self.fragments(
                try presentation.segment(segment.number, of: rendition, in: .fmp4, cancellation: Cancellation())
            )
            #expect(tracks.count == (rendition == .full ? 2 : 1))
            if let ends { #expect(tracks.map(\.start) == ends) }
            ends = tracks.map { $0.start + $0.duration }
        }
    }

    @Test func `the init segment is reproducible and has no samples`() throws {
        let folder = try TestFolder()
        let path = try Clip(audioCodec: "eac3").write(in: folder)
        let presentation = try PresentationTests.open(path)
        let once = try presentation.initSegment(.full)
        #expect(try PresentationTests.open(path).initSegment(.full) == once)
        for box in ["iso6", "mvex", "trex", "avc1", "ec-3"] { #expect(once.contains(sequence: Array(box.utf8))) }
        for box in ["mdat", "moof", "edts"] { #expect(!once.contains(sequence: Array(box.utf8))) }
    }
}
