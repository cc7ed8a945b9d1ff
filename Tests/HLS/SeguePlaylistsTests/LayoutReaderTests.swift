import SegueBase
import SegueTestSupport
import Testing

@testable import SeguePlaylists

@Suite struct `Layouts of files` {
    private func big(_ value: Int, _ size: Int) -> [UInt8] { SegmentBytes.big(value, size) }

    /// Reads a file as a client with range requests does, `step` bytes at a time.
    private func read(_ file: [UInt8], step: Int = 4096, length: Bool = true) -> (
        answer: LayoutReader.Answer, read: Int
    ) {
        var reader = LayoutReader(length: length ? Int64(file.count) : nil)
        var (place, count) = (0, 0)
        while true {
            let bytes = file[min(place, file.count)..<min(file.count, place + step)]
            let answer = bytes.isEmpty ? reader.finish() : reader.take(bytes)
            place += bytes.count
            count += bytes.count
            switch answer {
            case .more: if bytes.isEmpty { return (answer, count) }
            case .jump(let offset): place = Int(offset)
            case .found, .endless, .unusable, .foreign: return (answer, count)
            }
        }
    }

    private func layout(_ file: [UInt8], step: Int = 4096) throws -> MediaLayout {
        guard case .found(let layout) = read(file, step: step).answer else {
            throw SegmentError("\(read(file, step: step).answer)")
        }
        return layout
    }

    private let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + Array(repeating: 0, count: 413)

    private func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in frame } }

    @Test func `an MP3 of constant bit rate lasts as long as its frames, whatever precedes them`() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0x27, 0x08] + Array(repeating: UInt8(0xFF), count: 5000)
        for before in [[], tag, tag + tag, Array(repeating: UInt8(0x20), count: 9999)] {
            for step in [100, 4096, 100_000] {
                let layout = try layout(before + frames(500), step: step)
                #expect(abs(layout.duration.seconds - 500 * 1152 / 44100.0) < 0.03)
                #expect(layout.isEstimate && layout.hasAudio && !layout.hasVideo)
                #expect(layout.map.offset(of: .zero) == Int64(before.count))
            }
        }
    }

    @Test func `the Xing header gives duration and seek points`() throws {
        var first = frame
        let places: [Int] = (0..<100).map { place in place <= 50 ? place : min(255, 50 + (place - 50) * 4) }
        let table: [UInt8] = places.map { UInt8($0) }
        var header: [UInt8] = Array("Xing".utf8) + big(7, 4) + big(1000, 4)
        header += big(417_000, 4) + table
        first.replaceSubrange(36..<36 + header.count, with: header)
        let layout = try layout(first + frames(999))
        #expect(abs(layout.duration.seconds - 1000 * 1152 / 44100.0) < 0.001)
        #expect(!layout.isEstimate)
        let middle = layout.map.offset(of: layout.duration / 2)
        #expect(abs(Double(middle) - 417_000 * 50 / 256) < 2000)
        #expect(layout.map.time(of: 0..<417_000, from: .zero) == nil)
    }

    @Test func `the VBRI header gives duration and seek points`() throws {
        var first = frame
        var header: [UInt8] = Array("VBRI".utf8)
        let fields: [(Int, Int)] = [(1, 2), (0, 4), (417_000, 4), (1000, 4), (4, 2), (417, 2), (2, 2), (250, 2)]
        for (value, size) in fields {
            header += big(value, size)
        }
        for step in [100, 200, 300, 400] { header += big(step, 2) }
        first.replaceSubrange(36..<36 + header.count, with: header)
        let layout = try layout(first + frames(999))
        #expect(abs(layout.duration.seconds - 1000 * 1152 / 44100.0) < 0.001)
        #expect(abs(Double(layout.map.offset(of: layout.duration / 2)) - 417_000 * 0.3) < 10)
    }

    @Test func `audio without a length is endless`() {
        let (answer, count) = read(frames(100), length: false)
        #expect(answer == .endless(codec: "mp3", start: 0))
        #expect(count == 4096)
    }

    @Test func `FLAC is read from its stream information and seek table, past an image of any size`() throws {
        var info: [UInt8] = big(4096, 2) + big(4096, 2) + big(0, 6)
        info += big(44100 << 12 | 1 << 9 | 15 << 4, 4) + big(44100 * 90, 4)
        info += [UInt8](repeating: 0, count: 16)
        var table: [UInt8] = big(44100 * 30, 8) + big(500_000, 8) + big(4096, 2)
        table += [UInt8](repeating: 0xFF, count: 8) + big(0, 10)
        var head: [UInt8] = Array("fLaC".utf8) + [0] + big(info.count, 3) + info
        head += [3] + big(table.count, 3) + table
        head += [0x86] + big(300_000, 3) + [UInt8](repeating: 1, count: 300_000)
        let file = head + [UInt8](repeating: 2, count: 900_000)
        let layout = try layout(file)
        #expect(layout.duration == .seconds(90))
        #expect(layout.map.offset(of: .zero) == Int64(head.count))
        #expect(layout.map.offset(of: .seconds(30)) == Int64(head.count + 500_000))
        #expect(read(file).read < 10_000)
    }

    @Test func `AIFF and compressed AIFF`() throws {
        func file(_ kind: String, _ coding: [UInt8], frames: Int) -> [UInt8] {
            let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
            let common: [UInt8] = big(1, 2) + big(frames, 4) + big(16, 2) + rate + coding
            var chunks: [UInt8] = Array("COMM".utf8) + big(common.count, 4) + common
            chunks += Array("SSND".utf8) + big(88_208, 4) + big(0, 8) + [UInt8](repeating: 0, count: 88_200)
            return Array("FORM".utf8) + big(0, 4) + Array(kind.utf8) + chunks
        }
        #expect(try layout(file("AIFF", [], frames: 44100)).duration == .seconds(1))
        #expect(try layout(file("AIFC", Array("ima4".utf8) + [0, 0], frames: 44100)).duration == .seconds(64))
    }

    @Test func `fragments are found by the index before them`() throws {
        var body: [UInt8] = big(1, 4) + big(1000, 4) + big(0, 4) + big(0, 4) + big(0, 2) + big(3, 2)
        for (size, duration) in [(5000, 2000), (3000, 2000), (9000, 1500)] {
            body += big(size, 4) + big(duration, 4) + big(0, 4)
        }
        let index = SegmentBytes.full("sidx", body)
        let head = SegmentBytes.initialization + index
        let layout = try layout(head + SegmentBytes.box("moof", Array(repeating: 0, count: 16_992)))
        #expect(layout.duration == .milliseconds(5500))
        #expect(layout.hasVideo && layout.hasAudio)
        #expect(layout.map.offset(of: .seconds(2)) == Int64(head.count + 5000))
        #expect(layout.map.time(of: 0..<Int64(head.count + 8000), from: .zero) == .seconds(4))
        guard case .unusable(let why) = read(SegmentBytes.initialization + SegmentBytes.box("moof", big(0, 40))).answer
        else {
            Issue.record("no index, but a layout")
            return
        }
        #expect(why.contains("no index"))
    }

    @Test func `consecutive pieces of tracks need both`() {
        let audio = (0..<10).map { ByteMap.Piece(start: .seconds($0), bytes: Int64($0) * 10..<Int64($0) * 10 + 10) }
        let frame = (0..<10).map {
            ByteMap.Piece(start: .seconds($0), bytes: 1000 + Int64($0) * 10..<1010 + Int64($0) * 10)
        }
        let map = ByteMap(tracks: [audio, frame], keyTimes: [.zero, .seconds(4)])
        #expect(map.offset(of: .seconds(6)) == 40)
        #expect(map.time(of: 40..<1000, from: .seconds(6)) == .seconds(6))
        #expect(map.time(of: 40..<1080, from: .seconds(6)) == .seconds(8))
        #expect(map.time(of: 0..<1100, from: .zero) == nil)
        #expect(map.time(of: 50..<1100, from: .seconds(4)) == .seconds(4))
    }

    /// A sample table with `count` samples of one size in one chunk, each of `delta` ticks.
    private func table(size: Int, count: Int, delta: Int) -> [UInt8] {
        SegmentBytes.full("stts", big(1, 4), big(count, 4), big(delta, 4))
            + SegmentBytes.full("stsc", big(1, 4), big(1, 4), big(count, 4), big(1, 4))
            + SegmentBytes.full("stsz", big(size, 4), big(count, 4))
            + SegmentBytes.full("stco", big(1, 4), big(100, 4))
    }

    @Test func `impossible samples are ignored`() throws {
        let most = 0xFFFF_FFFF
        for (size, delta) in [(most, 0), (most, 1), (1 << 29, 0)] {
            var samples = try #require(
                SampleTable(table(size: size, count: most, delta: delta)[...], scale: 1, shift: .zero)
            )
            for piece in samples.pieces(of: .seconds(1)) { #expect(piece.bytes.upperBound < 1 << 62) }
        }
    }

    @Test func `the number of pieces has a limit`() throws {
        for shift in [Duration.zero, .seconds(-36_000_000)] {
            var samples = try #require(
                SampleTable(table(size: 1, count: 0xFFFF_FFFF, delta: 1)[...], scale: 4, shift: shift)
            )
            let pieces = samples.pieces(of: .milliseconds(250))
            #expect((1...1_000_000).contains(pieces.count))
            #expect((pieces.last?.bytes.upperBound ?? 0) <= 1_000_101)
        }
        // Audio of 100 hours in one chunk has one piece for each stretch.
        var audio = try #require(
            SampleTable(table(size: 2, count: 8000 * 360_000, delta: 1)[...], scale: 8000, shift: .zero)
        )
        let pieces = audio.pieces(of: .seconds(10))
        #expect(pieces.count == 36_000 && pieces.last?.bytes.upperBound == 100 + 16_000 * 360_000)
    }

    @Test func `no bytes trap`() {
        var random = SeededRandom(seed: 3)
        let heads: [[UInt8]] = [
            frame, Array("fLaC".utf8), Array("RIFF\0\0\0\0WAVEfmt ".utf8), Array("FORM\0\0\0\0AIFCCOMM".utf8),
            SegmentBytes.box("ftyp", big(0, 8)), SegmentBytes.initialization, [],
        ]
        for number in 0..<400 {
            var file = heads[number % heads.count]
            file += (0..<Int(random.next() % 3000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            for _ in 0..<4 where !file.isEmpty {
                file[Int(random.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if case .more = read(file, step: 500).answer { Issue.record("no answer for \(file.count) bytes") }
        }
    }

    @Test(arguments: [nil, Int64.max])
    func `boxes beyond the size of any file are refused`(length: Int64?) {
        // Each is a little shorter than 2^60 bytes, and the server has them all.
        let box =
            big(1, 4) + Array("free".utf8)
            + Array(repeating: UInt8(0xFF), count: 8).enumerated().map {
                $0.offset == 0 ? 0x0F : $0.element
            }
        var reader = LayoutReader(length: length)
        var answers: [LayoutReader.Answer] = []
        repeat { answers.append(reader.take(box)) } while answers.count < 20 && isJump(answers.last)
        guard case .unusable(let reason) = answers.last else { return #expect(Bool(false), "\(answers)") }
        #expect(reason.hasPrefix("the file continues at byte "))
    }

    private func isJump(_ answer: LayoutReader.Answer?) -> Bool { if case .jump = answer { true } else { false } }
}
