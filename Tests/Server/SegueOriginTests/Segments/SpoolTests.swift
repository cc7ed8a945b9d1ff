import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Bytes being sent` {
    private static func key(_ number: Int) -> SegmentStore.Key {
        .segment(
            DeliveredSegment(number, of: FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3))
        )
    }

    private static func bytes(_ number: Int) -> [UInt8] { (0..<60).map { UInt8(number * 60 + $0) } }

    private static func ask(_ store: SegmentStore, _ number: Int) throws -> KeptBytes {
        try store.kept(for: key(number), cancellation: Cancellation()) { _ in bytes(number) }
    }

    @Test func `are made once, and spooled while a client needs them`() throws {
        let spool = Spool()
        let store = SegmentStore(limit: 100, spool: spool, sendingLimit: 0)
        var needed = try (0..<4).map { try Self.ask(store, $0) }
        #expect(store.counts.heldBytes == 60 && store.counts.spooledBytes == 180 && store.counts.sendingBytes == 0)
        #expect(needed.map { $0.inMemory == nil } == [true, true, true, false])
        for (number, kept) in needed.enumerated() {
            #expect(kept.stay && kept.read(0..<60) == Self.bytes(number))
            #expect(kept.read(7..<9) == Array(Self.bytes(number)[7..<9]))
            // Another caller gets the same bytes.
            #expect(try Self.ask(store, number) === kept)
        }
        #expect(store.counts.made == 4)
        needed.removeFirst()
        spool.waitUntilReturned()
        #expect(store.counts.spooledBytes == 120)
        #expect(try Self.ask(store, 2).read(0..<60) == Self.bytes(2) && store.counts.made == 4)
        needed = []
        spool.waitUntilReturned()
        #expect(store.counts.spooledBytes == 0)
        _ = try Self.ask(store, 1)
        #expect(store.counts.made == 5)
    }

    @Test func `are spooled only if a client needs them`() throws {
        let spool = Spool()
        let store = SegmentStore(limit: 100, spool: spool)
        for number in 0..<4 { _ = try Self.ask(store, number) }
        store.shrink()
        #expect(store.counts.spooledBytes == 0 && store.counts.heldBytes == 0 && store.counts.sendingBytes == 0)
        let needed = try Self.ask(store, 1)
        store.shrink()
        #expect(store.counts.spooledBytes == 60 && needed.read(0..<60) == Self.bytes(1))
    }

    @Test func `stay in memory without a spool, up to a limit`() throws {
        let store = SegmentStore(limit: 100, spool: Spool(limit: 10), sendingLimit: 60)
        var needed = try (0..<3).map { try Self.ask(store, $0) }
        #expect(store.counts.sendingBytes == 60 && store.counts.spooledBytes == 0)
        #expect(needed.map(\.stay) == [true, false, true])
        #expect(needed[1].read(0..<60) == nil)
        // It is made again, and there is no room for the previous bytes.
        #expect(try Self.ask(store, 1).read(0..<60) == Self.bytes(1) && store.counts.made == 4)
        needed = []
        #expect(store.counts.sendingBytes == 0)
    }

    @Test func `are available to their maker even if they fit nowhere`() throws {
        let store = SegmentStore(limit: 10, spool: Spool(limit: 10), sendingLimit: 10)
        for made in 1...2 {
            let kept = try Self.ask(store, 1)
            #expect(!kept.stay && kept.read(3..<5) == [63, 64] && store.counts.made == made)
        }
        #expect(
            try store.bytes(for: Self.key(1), cancellation: Cancellation()) { _ in Self.bytes(1) }.bytes.count == 60
        )
    }

    @Test func `need no spool if its file cannot be created`() {
        #expect(Spool(folders: ["/dev/null/nothing"]).write([1]) == nil)
        #expect(Spool(folders: ["/dev/null/nothing", nil]).write([1])?.read(0..<1) == [1])
        #expect(Spool(limit: 2).write([1, 2, 3]) == nil)
    }

    @Test func `reuse the first free range that is long enough`() {
        var space = SpoolSpace()
        let stretches = [10, 20, 30, 40].map { space.take($0) }
        #expect(stretches == [0..<10, 10..<30, 30..<60, 60..<100])
        space.give(stretches[0])
        space.give(stretches[2])
        #expect(space.taken == 60 && space.end == 100)
        #expect(space.take(11) == 30..<41 && space.take(10) == 0..<10 && space.take(20) == 100..<120)
        #expect(space.take(19) == 41..<60)
    }

    @Test(arguments: UInt64(0)..<20)
    func `never overlap, and are all freed`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (space, taken) = (SpoolSpace(), [Range<Int64>]())
        for _ in 0..<300 {
            if taken.isEmpty || Int.random(in: 0..<5, using: &random) > 1 {
                let stretch = space.take(Int64.random(in: 1...50, using: &random))
                #expect(!taken.contains { $0.overlaps(stretch) } && stretch.upperBound <= space.end)
                taken.append(stretch)
            } else {
                space.give(taken.remove(at: Int.random(in: taken.indices, using: &random)))
            }
            #expect(space.taken == taken.reduce(0) { $0 + Int64($1.count) })
            #expect(space.end == taken.map(\.upperBound).max() ?? 0)
        }
        for stretch in taken { space.give(stretch) }
        #expect(space == SpoolSpace())
    }
}
