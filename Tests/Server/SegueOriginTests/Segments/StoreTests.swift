import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Stores` {
    @Test func `the least recently used value is evicted first`() {
        var cache = LeastRecentlyUsed<String, Int>(limit: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.insert(number, for: key, cost: 1) }
        #expect(cache.value(for: "a") == 0)
        cache.insert(3, for: "d", cost: 1)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.value(for: "a") == 0 && cache.value(for: "c") == 2 && cache.value(for: "d") == 3)
        cache.insert(4, for: "e", cost: 2)
        #expect(cache.count == 2 && cache.cost == 3 && cache.value(for: "d") == 3)
        cache.insert(5, for: "d", cost: 3)
        #expect(cache.count == 1 && cache.cost == 3 && cache.value(for: "d") == 5)
        cache.insert(6, for: "f", cost: 4)
        #expect(cache.value(for: "f") == nil && cache.value(for: "d") == 5)
    }

    @Test func `shrinking keeps the most recently used values`() {
        var cache = LeastRecentlyUsed<String, Int>(limit: 10)
        for (name, cost) in [("a", 3), ("b", 3), ("c", 3)] { cache.insert(1, for: name, cost: cost) }
        _ = cache.value(for: "a")
        cache.shrink(to: 6)
        #expect(cache.holds("a") && !cache.holds("b") && cache.holds("c"))
        cache.shrink(to: 2)
        #expect(cache.count == 0)
    }

    @Test func `the order of uses survives many of them`() {
        var cache = LeastRecentlyUsed<Int, Int>(limit: 50)
        for key in 0..<50 { cache.insert(key, for: key, cost: 1) }
        for use in 0..<2000 { #expect(cache.value(for: use * 7 % 50) != nil) }
        // The last fifty uses were of each key once, in steps of seven.
        let evicted = (50..<100).flatMap { cache.insert($0, for: $0, cost: 1) }
        #expect(evicted == (1950..<2000).map { $0 * 7 % 50 })
    }

    @Test func `a value with a future use outlasts only values used in the meantime`() {
        var cache = LeastRecentlyUsed<String, Int>(limit: 2)
        cache.insert(1, for: "later", cost: 1, usedIn: 3)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.insert(number, for: key, cost: 1) }
        #expect(cache.holds("later") && cache.holds("c") && cache.count == 2)
        // The fourth use has passed.
        cache.insert(4, for: "d", cost: 1)
        cache.insert(5, for: "e", cost: 1)
        #expect(!cache.holds("later") && cache.holds("e"))
        // A value that does not fit is not stored.
        cache.insert(6, for: "large", cost: 2, usedIn: 3)
        cache.insert(7, for: "f", cost: 1)
        #expect(cache.holds("large") && !cache.holds("f") && cache.cost == 2)
    }

    @Test func `prefetches are limited by the room`() throws {
        let store = SegmentStore(limit: 100)
        let identity = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3)
        let key = { SegmentStore.Key.segment(DeliveredSegment($0, of: identity)) }
        let make = { (number: Int, size: Int, isAhead: Bool) in
            _ = try store.bytes(for: key(number), cancellation: Cancellation(), isAhead: isAhead) { _ in
                [UInt8](repeating: 0, count: size)
            }
        }
        try make(0, 45, false)
        #expect(store.room == 2)
        // The second prefetch finishes before the first request.
        try make(2, 45, true)
        try make(3, 45, true)
        try make(1, 45, false)
        #expect(store.holds(key(2)) && store.holds(key(3)) && !store.holds(key(1)))
        try make(4, 101, false)
        #expect(store.room == 0)
    }

    @Test func `segments are made once and held up to the limit`() throws {
        let store = SegmentStore(limit: 100)
        let identity = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3)
        let get = { (number: Int, size: Int) in
            try store.bytes(
                for: .segment(DeliveredSegment(number, of: identity)),
                cancellation: Cancellation()
            ) { _ in Array(repeating: UInt8(number), count: size) }
        }
        let first = try get(1, 60)
        #expect(first.bytes.count == 60 && first.tag == ContentTag.of(first.bytes))
        _ = try get(1, 60)
        #expect(store.counts.made == 1 && store.counts.found == 1 && store.counts.heldBytes == 60)
        _ = try get(2, 60)
        #expect(store.counts.heldBytes == 60)
        _ = try get(1, 60)
        #expect(store.counts.made == 3)
        // Larger than the cache: served, not cached.
        #expect(try get(3, 200).bytes.count == 200)
        #expect(store.counts.heldBytes == 60)
    }

    @Test func `a failed segment is retried`() throws {
        let store = SegmentStore(limit: 100)
        let identity = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3)
        let key = SegmentStore.Key.artwork(identity, side: nil, width: nil)
        #expect(throws: OriginFailure.self) {
            try store.bytes(for: key, cancellation: Cancellation()) { _ in throw OriginFailure.notFound("no") }
        }
        #expect(try store.bytes(for: key, cancellation: Cancellation()) { _ in [1] }.bytes == [1])
    }

    @Test func `presentations and failing files are opened once`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("no media".utf8), to: "a.mp4")
        let store = PresentationStore(limit: 1)
        let identity = try FileIdentity(ofFileAt: path)
        for _ in 0..<2 {
            #expect(throws: PackagingError.self) {
                try store.presentation(of: identity, cancellation: Cancellation())
            }
            #expect(store.count == 1)
        }
        let gone = FileIdentity(path: folder.file("gone.mp4"), size: 1, modifiedNanoseconds: 2, inode: 3)
        #expect(throws: PackagingError.self) { try store.presentation(of: gone, cancellation: Cancellation()) }
        #expect(try store.presentationFails(identity))
    }

    @Test func `a changed file is scanned again`() throws {
        let folder = try TestFolder()
        _ = try folder.write([], to: "a.mp4")
        let library = try Library(roots: [folder.path])
        let item = try #require(library.items.first)
        let catalogue = Catalogue(library: library)
        guard case .failed(_, let empty) = catalogue.look(into: item, cancellation: Cancellation()) else {
            Issue.record("an empty file is no media")
            return
        }
        _ = try folder.write(Array("no media".utf8), to: "a.mp4")
        guard case .failed(_, let words) = catalogue.look(into: item, cancellation: Cancellation()) else {
            Issue.record("words are no media")
            return
        }
        #expect(empty != words && catalogue.count == 1)
        catalogue.keepOnly([])
        guard case .pending = catalogue.knowledge(of: item) else {
            Issue.record("what is forgotten is not known")
            return
        }
    }
}

extension PresentationStore {
    /// True if the file is stored as a failure.
    fileprivate func presentationFails(_ identity: FileIdentity) throws -> Bool {
        do {
            _ = try presentation(of: identity, cancellation: Cancellation())
            return false
        } catch is PackagingError {
            return true
        }
    }
}
