import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `The blocks of a Matroska file` {
    /// The indexed properties of each packet, without decode times, which Matroska lacks.
    static func facts(_ index: FileIndex) -> [[String]] {
        index.streams.sorted { $0.key < $1.key }.map { _, stream in
            stream.packets.map { "\($0.pts) \($0.rawPTS) \($0.size) \($0.position) \($0.isKey) \($0.duration)" }
                + stream.configurations.map { "\($0.packet): \($0.key)" }
        }
    }

    @Test(arguments: ["aac", "ac3", "eac3", "libmp3lame"], [0, 2])
    func `equal those of reading every packet`(audio: String, bFrames: Int) throws {
        let folder = try TestFolder()
        let path = try Clip(container: "matroska", bFrames: bFrames, audioCodec: audio).write(in: folder)
        let told = try #require(
            try MatroskaIndex.run(path: path, MediaInput(path: path), cancellation: Cancellation())
        )
        let read = try IndexScan.run(MediaInput(path: path), cancellation: Cancellation())
        #expect(Self.facts(told.index) == Self.facts(read))
        #expect(told.index.streams.mapValues(\.firstPacket) == read.streams.mapValues(\.firstPacket))
        let film = try #require(told.index.streams[0])
        for (packet, next) in zip(film.packets, film.packets.dropFirst()) {
            #expect(packet.dts <= packet.pts && packet.dts < next.dts)
        }
        #expect(try PresentationTests.open(path).indexing.source == .blocks)
    }

    @Test func `are rejected if they are false or damaged`() throws {
        let folder = try TestFolder()
        let path = try Clip(container: "matroska").write(in: folder)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let told = { (bytes: [UInt8]) throws in
            let path = try folder.write(bytes, to: "other.mkv")
            return try MatroskaIndex.run(path: path, MediaInput(path: path), cancellation: Cancellation())
        }
        #expect(try told(bytes) != nil)
        let index = try IndexScan.run(MediaInput(path: path), cancellation: Cancellation())
        let film = try #require(index.streams[0]?.packets)
        // A dependent frame marked as a keyframe, far behind the packets that libav is asked for.
        let liar = try #require(film.last { !$0.isKey })
        let flags = Int(liar.position) + 3
        #expect(bytes[flags] & 0x80 == 0)
        bytes[flags] |= 0x80
        #expect(try told(bytes) == nil)
        bytes[flags] &= 0x7f
        // An unknown element in place of a block.
        let element = try #require((2...4).map { Int(liar.position) - $0 }.first { bytes[$0] == 0xa3 })
        bytes[element] = 0xf6
        #expect(try told(bytes) == nil)
        let presentation = try PresentationTests.open(folder.write(bytes, to: "other.mkv"))
        #expect(presentation.indexing.source == .packets)
    }

    @Test(arguments: [Int64(3000), 20_000, 100_000])
    func `are equal if read in parallel sections`(stretch: Int64) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 20, container: "matroska", bFrames: 2).write(in: folder)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let told = { (path: String, stretch: Int64?) throws in
            let told = try MatroskaIndex.run(
                path: path,
                MediaInput(path: path),
                stretch: stretch,
                cancellation: Cancellation()
            )
            return try #require(told).index
        }
        let whole = try told(path, nil)
        #expect(Self.facts(try told(path, stretch)) == Self.facts(whole))
        #expect(try told(path, stretch).streams[0]?.packets.map(\.dts) == whole.streams[0]?.packets.map(\.dts))
        // A false cluster identifier inside a frame.
        let frames = try #require(whole.streams[0]?.packets)
        for packet in frames.dropFirst(40) where !packet.isKey && packet.size > 60 {
            let place = Int(packet.contentStart) + 20
            bytes.replaceSubrange(place..<place + 6, with: [0x1F, 0x43, 0xB6, 0x75, 0x84, 0xA3])
        }
        let other = try folder.write(bytes, to: "other.mkv")
        #expect(Self.facts(try told(other, stretch)) == Self.facts(whole))
        // A truncated file is indexed up to the cut.
        let cut = try folder.write(Array(bytes.prefix(bytes.count * 2 / 3)), to: "cut.mkv")
        #expect(Self.facts(try told(cut, stretch)) == Self.facts(try told(cut, nil)))
    }

    /// The head of a file: its header, a segment and a cluster of unknown sizes, at time 1000.
    private static let head: [UInt8] =
        [0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]
        + [0x1f, 0x43, 0xb6, 0x75, 0x01, 255, 255, 255, 255, 255, 255, 255, 0xe7, 0x82, 0x03, 0xe8]

    private func blocks(_ bytes: [UInt8]) throws -> [MatroskaBlocks.Block] {
        let folder = try TestFolder()
        let file = try #require(FileBytes(path: try folder.write(Self.head + bytes, to: "blocks.mkv")))
        var walk = try MatroskaBlocks(file)
        var result: [MatroskaBlocks.Block] = []
        while let block = try walk.next() { result.append(block) }
        return result
    }

    @Test func `may hold several frames`() throws {
        let content = [UInt8](repeating: 7, count: 600)
        // Xiph lacing: 300 is 255 and 45; then 100, and the rest.
        let xiph: [UInt8] = [0x81, 0x00, 0x05, 0x82, 2, 255, 45, 100] + content
        // Fixed-size lacing.
        let fixed: [UInt8] = [0x81, 0xff, 0xff, 0x04, 2] + content
        // EBML lacing: 300, 50 less, and the rest.
        let ebml: [UInt8] = [0x81, 0x00, 0x00, 0x86, 2, 0x41, 0x2c, 0x5f, 0xcd] + content
        let simple = { (body: [UInt8]) in [0xa3, 0x40 | UInt8(body.count >> 8), UInt8(body.count & 255)] + body }
        let found = try blocks(simple(xiph) + simple(fixed) + simple(ebml))
        #expect(found.map(\.sizes) == [[300, 100, 200], [200, 200, 200], [300, 250, 50]])
        #expect(found.map(\.time) == [1005, 999, 1000])
        #expect(found.map(\.isKey) == [true, false, true])
        #expect(found.map(\.track) == [1, 1, 1])
    }

    @Test func `in groups declare their durations and references`() throws {
        let block: [UInt8] = [0xa1, 0x86, 0x81, 0x00, 0x02, 0x00, 9, 9]
        let key: [UInt8] = [0xa0, 0x8b] + block + [0x9b, 0x81, 40]
        let other: [UInt8] = [0xa0, 0x8b] + block + [0xfb, 0x81, 0xd8]
        let found = try blocks(key + other + Array(key.dropLast(2)))
        #expect(found.map(\.isKey) == [true, false])
        #expect(found.map(\.duration) == [40, nil])
        #expect(found.map(\.sizes) == [[2], [2]])
    }
}
