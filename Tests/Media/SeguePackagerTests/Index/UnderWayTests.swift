import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// In files that cannot be sought, reading continues from an earlier position.
@Suite struct `Inputs under way` {
    private let folder: TestFolder
    private let path: String
    private let pool: InputPool
    private let index: FileIndex

    init() throws {
        folder = try TestFolder()
        path = try Clip(seconds: 9, container: "matroska").write(in: folder)
        pool = InputPool(path: path)
        var index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        index.isStored = false
        self.index = index
    }

    @Test func `give the same packets as those read from the start`() throws {
        let audio = try #require(index.streams.values.first { $0.info.kind == .audio })
        let stretches = stride(from: 0, to: audio.packets.count - 60, by: 40).map { max(0, $0 - 10)..<$0 + 60 }
        try #require(stretches.count > 5)
        let sought = try stretches.map { try contents([audio.info.index: $0]) }
        pool.isHardToSeek = true
        #expect(try stretches.map { try contents([audio.info.index: $0]) } == sought)
        // Two positions suffice for ranges that begin slightly before the end of the previous one.
        let ends = stretches.suffix(2).map(\.upperBound)
        let far = try #require(
            pool.takeUnderWay(towards: [audio.info.index: audio.packets.count], reach: .max, Cancellation())
        )
        #expect(far.places == [audio.info.index: ends[1]])
        let near = try #require(pool.takeUnderWay(towards: [audio.info.index: ends[0]], reach: 0, Cancellation()))
        #expect(near.places == [audio.info.index: ends[0]])
    }

    @Test func `are taken from the nearest preceding position within reach`() throws {
        for place in [10, 50, 30] { pool.giveBack(try pool.openFresh(Cancellation()), at: [1: place]) }
        #expect(pool.takeUnderWay(towards: [1: 45], reach: 14, Cancellation())?.places == nil)
        #expect(pool.takeUnderWay(towards: [0: 45], reach: .max, Cancellation())?.places == nil)
        #expect(pool.takeUnderWay(towards: [0: 45, 1: 45], reach: .max, Cancellation())?.places == nil)
        #expect(pool.takeUnderWay(towards: [1: 45], reach: .max, Cancellation())?.places == [1: 30])
        #expect(pool.takeUnderWay(towards: [1: 45], reach: .max, Cancellation())?.places == [1: 10])
        #expect(pool.takeUnderWay(towards: [1: 45], reach: .max, Cancellation())?.places == nil)
    }

    @Test func `are evicted if there are too many`() throws {
        for place in 1...4 { pool.giveBack(try pool.openFresh(Cancellation()), at: [1: place]) }
        #expect(pool.takeUnderWay(towards: [1: 1], reach: .max, Cancellation())?.places == nil)
        #expect(pool.takeUnderWay(towards: [1: 2], reach: .max, Cancellation())?.places == [1: 2])
    }

    private func contents(_ wanted: [Int: Range<Int>]) throws -> [[UInt8]] {
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
        try reader.begin(wanted)
        var contents: [[UInt8]] = []
        while let fetched = try reader.next() { contents.append(fetched.packet.bytes) }
        return contents
    }
}
