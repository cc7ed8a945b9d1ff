import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Packets read from their places` {
    @Test(arguments: ["mp4", "mov", "matroska"], ["aac", "ac3"])
    func `equal those of a demuxer`(container: String, audio: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 9, container: container, audioCodec: audio).write(in: folder)
        let pool = InputPool(path: path)
        let index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        // In an MP4, packets of other than the plainest codecs are not recognized by position.
        #expect(index.isStored == (audio == "aac" || container == "matroska"))
        guard index.isStored else { return }
        let wanted = index.streams.mapValues { 3..<$0.packets.count - 2 }
        var demuxed = index
        demuxed.isStored = false
        let fetched = { (index: FileIndex) throws in
            let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
            try reader.begin(wanted)
            var facts: [[Int]: String] = [:]
            var bytes: [[Int]: [UInt8]] = [:]
            while let (stream, number, packet) = try reader.next() {
                bytes[[stream, number]] = packet.bytes
                facts[[stream, number]] =
                    "\(packet.pts ?? -1) \(packet.duration) \(packet.position) \(packet.isKey) \(packet.isDiscarded)"
                    + (container == "matroska" ? "" : " \(packet.dts ?? -1)")
            }
            return (facts: facts, bytes: bytes)
        }
        let (facts, given) = try fetched(demuxed)
        #expect(try fetched(index).bytes == given)
        #expect(try fetched(index).facts == facts)
        var stored: [[Int]: [UInt8]] = [:]
        var places: [Int64] = []
        try StoredPackets(file: path, index: index, cancellation: Cancellation()).read(wanted) { packet in
            stored[[packet.stream, packet.number]] = packet.payload.withBytes { [UInt8]($0) }
            places.append(index.streams[packet.stream]?.packets[packet.number].contentStart ?? -1)
        }
        #expect(stored == given)
        #expect(stored.count == wanted.values.reduce(0) { $0 + $1.count })
        #expect(places == places.sorted())
    }

    @Test func `are returned in decode order, even if the file order differs`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 9).write(in: folder)
        let pool = InputPool(path: path)
        var index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        #expect(index.isStored)
        // The second half of a stream precedes its first, as with an edit list.
        var turned = try #require(index.streams[1])
        let packets = Array(turned.packets)
        turned.packets = PacketList(packets[(packets.count / 2)...] + packets[..<(packets.count / 2)])
        turned.hasAscendingPositions = false
        index.streams[1] = turned
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
        try reader.begin(index.streams.mapValues { 0..<$0.packets.count })
        var numbers: [Int: [Int]] = [:]
        while let (stream, number, packet) = try reader.next() {
            numbers[stream, default: []].append(number)
            let entry = try #require(index.streams[stream]?.packets[number])
            #expect(packet.position == entry.position && packet.size == Int(entry.size))
        }
        for (stream, found) in index.streams { #expect(numbers[stream] == Array(found.packets.indices)) }
    }

    @Test func `are not read if the bytes there differ`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 4).write(in: folder)
        var index = try Indexing(path: path, cancellation: Cancellation(), pool: InputPool(path: path)).run().index
        #expect(StoredPackets.canRead(index, path: path))
        index.streams[0]?.firstPacket[7] ^= 1
        #expect(!StoredPackets.canRead(index, path: path))
    }

    @Test func `fail if the file was truncated, and if canceled`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 4).write(in: folder)
        let index = try Indexing(path: path, cancellation: Cancellation(), pool: InputPool(path: path)).run().index
        let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let cut = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mp4")
        let wanted = index.streams.mapValues { 0..<$0.packets.count }
        #expect(throws: MediaError.self) {
            try StoredPackets(file: cut, index: index, cancellation: Cancellation()).read(wanted) { _ in }
        }
        let cancelled = Cancellation()
        cancelled.cancel()
        #expect(throws: MediaError.self) {
            try StoredPackets(file: path, index: index, cancellation: cancelled).read(wanted) { _ in }
        }
    }
}
