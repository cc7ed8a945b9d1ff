import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

/// Damaged files: each is served, or rejected with a reason, without delay or crash.
@Suite struct `Damaged files` {
    /// Opens a file and makes its first, middle, and last segment; failures must be one-line reasons.
    @discardableResult
    static func serve(_ path: String, _ what: String) throws -> Bool {
        let limit = Cancellation(deadline: .now + .seconds(60))
        var served = false
        do throws(PackagingError) {
            let presentation = try Presentation.open(path: path, cancellation: limit)
            let count = presentation.plan.segments.count
            #expect(count > 0 && count < 1000, "\(what)")
            for rendition in [Rendition.full, .background] {
                for number in Set([0, count / 2, count - 1]).sorted() {
                    do throws(PackagingError) {
                        _ = try presentation.segment(number, of: rendition, in: .ts, cancellation: limit)
                        served = true
                    } catch {
                        #expect(error.reason != .cancelled && !error.message.contains("\n"), "\(what): \(error)")
                    }
                }
            }
        } catch {
            #expect(error.reason != .cancelled && !error.message.contains("\n"), "\(what): \(error)")
        }
        return served
    }

    static func clip(_ container: String) -> Clip {
        switch container {
        case "mp3": Clip(seconds: 13, container: "mp3", videoCodec: nil, audioCodec: "libmp3lame")
        case "flac": Clip(seconds: 13, container: "flac", videoCodec: nil, audioCodec: "flac")
        case "avi": Clip(seconds: 13, container: "avi", audioCodec: "pcm_s16le")
        default: Clip(seconds: 13, container: container)
        }
    }

    static func bytes(_ container: String, _ folder: TestFolder) throws -> [UInt8] {
        let path = try clip(container).write(in: folder, name: "whole")
        return try [UInt8](#require(FileManager.default.contents(atPath: path)))
    }

    @Test(arguments: ["mp4", "matroska", "mpegts", "avi", "mp3", "flac"])
    func `truncated at a hundred positions`(container: String) throws {
        let folder = try TestFolder()
        let bytes = try Self.bytes(container, folder)
        var served = 0
        for place in 1...100 {
            let cut = try folder.write(Array(bytes.prefix(bytes.count * place / 101)), to: "cut.\(container)")
            if try Self.serve(cut, "\(container) cut to \(place) of 101") { served += 1 }
        }
        // All but MP4, whose index is at the end, are playable up to the cut.
        #expect(container == "mp4" ? served == 0 : served > 80, "\(served)")
    }

    @Test(arguments: ["mp4", "matroska", "mpegts", "avi", "mp3", "flac"])
    func `random wrong bytes`(container: String) throws {
        let folder = try TestFolder()
        let bytes = try Self.bytes(container, folder)
        var random = SeededRandom(seed: 3)
        for round in 0..<40 {
            var broken = bytes
            // The first rounds damage the header, the others any position.
            let area = round < 20 ? min(2000, bytes.count) : bytes.count
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                broken[Int.random(in: 0..<area, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Self.serve(try folder.write(broken, to: "broken.\(container)"), "\(container), round \(round)")
        }
    }

    @Test(arguments: ["matroska", "mpegts"])
    func `garbage in the middle costs only its own range`(container: String) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 30, container: container)
        clip.isNoise = true
        let path = try clip.write(in: folder, name: "whole")
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        var random = SeededRandom(seed: 11)
        for place in bytes.count * 4 / 10..<bytes.count * 5 / 10 {
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        let presentation = try PresentationTests.open(folder.write(bytes, to: "broken.\(container)"))
        #expect(abs(presentation.plan.duration.seconds - 30) < 1)
        let delivered = try PresentationTests.whole(presentation, rendition: .full, container: .ts)
        let frames = try Decoded(MediaInput(bytes: delivered, name: "delivered"), .video).frames
        #expect(frames.count > 600)
    }

    @Test func `garbage after the last frame of an MP3 file is not delivered`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 3, container: "mp3", videoCodec: nil, audioCodec: "libmp3lame").write(in: folder)
        let whole = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let garbage = [UInt8](repeating: 0x55, count: 150_000)
        let presentation = try PresentationTests.open(folder.write(whole + garbage, to: "broken.mp3"))
        let delivered = try PresentationTests.whole(presentation, rendition: .full, container: .ts)
        #expect(delivered.count < 2 * whole.count)
    }

    @Test func `garbage in a Matroska file is not taken for its end`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 30, container: "matroska").write(in: folder, name: "whole")
        let whole = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        for seed: UInt64 in 1...40 {
            var bytes = whole
            var random = SeededRandom(seed: seed)
            for place in bytes.count * 4 / 10..<bytes.count * 5 / 10 {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let presentation = try PresentationTests.open(folder.write(bytes, to: "broken.mkv"))
            #expect(abs(presentation.plan.duration.seconds - 30) < 1, "seed \(seed)")
        }
    }

    /// The offsets of a four-letter name in some bytes.
    static func places(of name: String, in bytes: [UInt8]) -> [Int] {
        let (data, letters) = (Data(bytes), Data(name.utf8))
        var result: [Int] = []
        while let next = data.range(of: letters, in: (result.last ?? -1) + 1..<data.count) {
            result.append(next.lowerBound)
        }
        return result
    }

    @Test func `an image without a size`() throws {
        let folder = try TestFolder()
        var bytes = try Self.bytes("mp4", folder)
        for place in Self.places(of: "avc1", in: bytes) where bytes[place - 4] == 0 {
            // Width and height are 28 bytes behind the name; the track's are at the end of its header.
            bytes.replaceSubrange(place + 28..<place + 32, with: [0, 0, 0, 0])
        }
        for place in Self.places(of: "tkhd", in: bytes) {
            bytes.replaceSubrange(place + 80..<place + 88, with: Array(repeating: 0, count: 8))
        }
        try #expect(Self.serve(folder.write(bytes, to: "flat.mp4"), "no size"))
    }

    @Test(arguments: ["avcC", "esds", "stts", "ctts", "stsc", "stsz", "stco", "mdhd", "elst"])
    func `a box with all bits set`(name: String) throws {
        let folder = try TestFolder()
        let bytes = try Self.bytes("mp4", folder)
        for place in Self.places(of: name, in: bytes) {
            let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            // The whole box, its numbers, or its last number.
            for start in [place + 4, place + 12, place + size - 8] where start < place + size - 4 {
                var broken = bytes
                for byte in start..<place + size - 4 { broken[byte] = 0xff }
                try Self.serve(folder.write(broken, to: "ones.mp4"), "\(name) from \(start - place)")
            }
        }
    }

    @Test func `a frame without content is not an empty sample`() throws {
        let folder = try TestFolder()
        let path = try Clip(container: "nut").write(in: folder)
        let input = try MediaInput(path: path)
        let stream = try #require(input.streams.first { $0.kind == .video }).index
        var bytes = try Data(#require(FileManager.default.contents(atPath: path)))
        let packet = Packet()
        var number = 0
        while try input.read(into: packet) {
            guard packet.streamIndex == stream else { continue }
            number += 1
            guard number % 40 == 30, let place = bytes.range(of: Data(packet.bytes)) else { continue }
            bytes.replaceSubrange(place, with: repeatElement(0xaa, count: place.count))
        }
        let presentation = try PresentationTests.open(folder.write(Array(bytes), to: "broken.nut"))
        #expect(try presentation.rendition(.full, in: .fmp4).tracks.allSatisfy { $0.treatment == .copy })
        let delivered = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let again = try MediaInput(bytes: delivered, name: "delivered")
        var count = 0
        while try again.read(into: packet) {
            #expect(packet.size > 0)
            if again.streams[packet.streamIndex].kind == .video { count += 1 }
        }
        #expect(count == number)
    }

    @Test(arguments: ["mp4", "matroska", "mov"])
    func `no segment begins with a damaged keyframe`(container: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 20, container: container, audioCodec: nil).write(in: folder)
        let whole = try PresentationTests.open(path)
        let input = try MediaInput(path: path)
        var bytes = try Data(#require(FileManager.default.contents(atPath: path)))
        let packet = Packet()
        var number = 0
        while try input.read(into: packet) {
            // Keyframes are two seconds apart; the second segment would begin with this one.
            if packet.isKey, number == 150, let place = bytes.range(of: Data(packet.bytes)) {
                bytes.replaceSubrange(place, with: repeatElement(0, count: place.count))
            }
            number += 1
        }
        #expect(whole.plan.segments[1].start == Rational(6))
        let presentation = try PresentationTests.open(folder.write(Array(bytes), to: "broken.\(container)"))
        #expect(presentation.plan.segments.allSatisfy { $0.start != Rational(6) })
        #expect(presentation.plan.duration == whole.plan.duration)
        for segment in presentation.plan.segments {
            let part = try presentation.segment(segment.number, of: .full, in: .ts, cancellation: Cancellation())
            let alone = try MediaInput(bytes: part, name: "alone")
            #expect(try alone.read(into: packet) && packet.isKey)
        }
    }

    @Test func `impossible timestamps`() throws {
        let folder = try TestFolder()
        let bytes = try Self.bytes("matroska", folder)
        // A cluster begins with its time: E7, and the number of bytes.
        let clusters = bytes.indices.dropLast(20).filter { Array(bytes[$0..<$0 + 4]) == [0x1f, 0x43, 0xb6, 0x75] }
        #expect(!clusters.isEmpty)
        for value: UInt8 in [0x7f, 0xff] {
            var broken = bytes
            for cluster in clusters {
                guard let time = (cluster..<cluster + 24).first(where: { broken[$0] == 0xe7 }) else { continue }
                let length = Int(broken[time + 1] & 0x7f)
                for place in time + 2..<time + 2 + length { broken[place] = value }
            }
            try Self.serve(folder.write(broken, to: "times.mkv"), "times \(value)")
        }
    }

    @Test func `ten thousand streams`() throws {
        let folder = try TestFolder()
        let bytes = try Self.bytes("matroska", folder)
        // Another Tracks element, with ten thousand audio track entries.
        var entries: [UInt8] = []
        for number in 1...10_000 {
            let body: [UInt8] =
                [0xd7, 0x82, UInt8(number >> 8), UInt8(number & 255), 0x83, 0x81, 2, 0x86, 0x85] + Array("A_AAC".utf8)
            entries += [0xae, 0x80 | UInt8(body.count)] + body
        }
        let place = try #require(
            bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == [0x16, 0x54, 0xae, 0x6b] }
        )
        let size = entries.count
        let tracks: [UInt8] = [
            0x16, 0x54, 0xae, 0x6b, 0x10, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255),
        ]
        try Self.serve(folder.write(Array(bytes[..<place]) + tracks + entries, to: "many.mkv"), "ten thousand streams")
    }

    @Test(arguments: ["mpegts", "matroska", "mp4"])
    func `a hundred gigabytes of zeros behind the media`(container: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 13, container: container).write(in: folder)
        let length = try #require(FileManager.default.contents(atPath: path)).count
        #expect(truncate(path, 100 << 30) == 0)
        let cancellation = Cancellation(deadline: .now + .seconds(60))
        let presentation = try Presentation.open(path: path, cancellation: cancellation)
        #expect(presentation.identity.size == 100 << 30)
        #expect(presentation.plan.duration > Rational(12) && presentation.plan.duration < Rational(14))
        #expect(presentation.indexing.bytesRead < 1 << 30)
        _ = try presentation.segment(1, of: .full, in: .ts, cancellation: cancellation)
        #expect(truncate(path, off_t(length)) == 0)
    }

    @Test func `a file that shrinks between its index and its segments`() throws {
        let folder = try TestFolder()
        for container in ["mpegts", "mp4", "matroska"] {
            let path = try Clip(seconds: 13, container: container).write(in: folder, name: container)
            let presentation = try PresentationTests.open(path)
            let input = try MediaInput(path: path)
            #expect(truncate(path, 40_000) == 0)
            let reason = try `What cannot be served`.reason {
                _ = try presentation.segment(1, of: .full, in: .ts, cancellation: Cancellation())
            }
            #expect(reason == .changed)
            // An input opened earlier ends at the file's new end.
            let packet = Packet()
            var count = 0
            while (try? input.read(into: packet)) == true { count += 1 }
            #expect(count < 1000)
            try Self.serve(path, "\(container), shrunk")
        }
    }
}
