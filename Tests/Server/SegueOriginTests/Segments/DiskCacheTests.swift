import Foundation
import HTTPTypes
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `The disk cache` {
    /// The notices of a cache.
    private final class Notices: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private static func made(_ byte: UInt8, count: Int) -> SegmentStore.Made {
        let bytes = [UInt8](repeating: byte, count: count)
        return SegmentStore.Made(bytes: bytes, tag: ContentTag.of(bytes))
    }

    private static func key(_ number: Int, modified: Int64 = 2) -> SegmentStore.Key {
        let identity = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: modified, inode: 3)
        return .segment(DeliveredSegment(number, of: identity))
    }

    private static func files(_ folder: TestFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("cache")).sorted()
    }

    private static func cache(_ folder: TestFolder, limit: Int64 = 1 << 30) throws -> DiskCache {
        try DiskCache(path: folder.file("cache"), limit: limit) { Issue.record("notice: \($0)") }
    }

    @Test func `another process finds identical entries`() throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder)
        for number in 0..<4 {
            cache.keep(Self.made(UInt8(number), count: 1000 * number), as: "name \(number)")
            cache.waitForWrites()
        }
        let other = try Self.cache(folder)
        for number in 0..<4 {
            let found = other.find("name \(number)")
            #expect(found?.bytes == [UInt8](repeating: UInt8(number), count: 1000 * number))
            #expect(found?.tag == ContentTag.of(found?.bytes ?? []))
        }
        #expect(other.find("name 4") == nil)
        #expect(try Self.files(folder).count == 4)
    }

    @Test(arguments: [0, 5, 9, 14, 20, 30, 45, 54, 60, 500, 1059]) func `a damaged file is removed, not served`(
        place: Int
    ) throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder)
        cache.keep(Self.made(7, count: 1000), as: "a name")
        cache.waitForWrites()
        let file = try #require(try Self.files(folder).first)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("cache/\(file)"))))
        #expect(bytes.count == 1060)
        bytes[place] ^= 0x10
        _ = try folder.write(bytes, to: "cache/\(file)")
        #expect(cache.find("a name") == nil)
        #expect(try Self.files(folder).isEmpty)
    }

    @Test func `truncated, overlong, and foreign files are not served`() throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder)
        cache.keep(Self.made(7, count: 1000), as: "a name")
        cache.waitForWrites()
        let file = try #require(try Self.files(folder).first)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file("cache/\(file)"))))
        for wrong in [Array(bytes.dropLast()), bytes + [0], [], Array(bytes.prefix(10))] {
            _ = try folder.write(wrong, to: "cache/\(file)")
            #expect(cache.find("a name") == nil)
        }
        _ = try folder.write(bytes, to: "cache/\(CacheFile.fileName("another name"))")
        #expect(cache.find("another name") == nil)
        _ = try folder.write(bytes, to: "cache/\(file)")
        #expect(cache.find("a name")?.bytes.count == 1000)
    }

    @Test func `the limit holds, and the least recently used file is evicted first`() throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder, limit: 100_000)
        for number in 0..<30 {
            cache.keep(Self.made(UInt8(number), count: 9000), as: "\(number)")
            cache.waitForWrites()
            // The first entry is used repeatedly.
            #expect(cache.find("0") != nil)
            let sizes = try Self.files(folder).map {
                try FileManager.default.attributesOfItem(atPath: folder.file("cache/\($0)"))[.size] as? Int ?? 0
            }
            #expect(sizes.reduce(0, +) <= 100_000)
        }
        #expect(cache.find("29") != nil && cache.find("28") != nil && cache.find("1") == nil)
        cache.keep(Self.made(1, count: 60_000), as: "more than half of it")
        cache.waitForWrites()
        #expect(cache.find("more than half of it") == nil && cache.find("29") != nil)
    }

    @Test func `other files in the folder are left alone`() throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder, limit: 20_000)
        _ = try folder.write([UInt8](repeating: 1, count: 50_000), to: "cache/film.mkv")
        for number in 0..<10 {
            cache.keep(Self.made(1, count: 5000), as: "\(number)")
            cache.waitForWrites()
        }
        #expect(try Self.files(folder).contains("film.mkv"))
    }

    @Test func `a failing disk causes one notice, and no failed request`() throws {
        let folder = try TestFolder()
        let notices = Notices()
        let cache = try DiskCache(path: folder.file("cache"), limit: 1 << 30) { notices.add($0) }
        try FileManager.default.removeItem(atPath: folder.file("cache"))
        let store = SegmentStore(limit: 1 << 20, disk: cache)
        for number in 0..<50 {
            let made = try store.bytes(for: Self.key(number), cancellation: Cancellation(), isCostly: { true }) { _ in
                [UInt8(number)]
            }
            cache.waitForWrites()
            #expect(made.bytes == [UInt8(number)])
        }
        #expect(notices.all.count == 1)
        #expect(notices.all.first?.hasSuffix("No such file or directory; segments are cached in memory only") == true)
    }

    @Test(.enabled(if: SmallVolume.isPossible)) func `on a full volume the oldest files are evicted without a notice`()
        throws
    {
        let folder = try TestFolder()
        try SmallVolume.with(folder.file("volume"), kibibytes: 400) { volume in
            let notices = Notices()
            let cache = try DiskCache(path: "\(volume)/cache", limit: 1 << 30) { notices.add($0) }
            for number in 0..<60 {
                cache.keep(Self.made(UInt8(number), count: 30_000), as: "\(number)")
                cache.waitForWrites()
                #expect(cache.find("\(number)")?.bytes.first == UInt8(number))
            }
            #expect(notices.all == [] && cache.find("0") == nil && cache.find("58") != nil)
            // Other files fill the volume to the last byte.
            let others = Data(count: 390 << 10)
            for entry in try FileManager.default.contentsOfDirectory(atPath: "\(volume)/cache") {
                try FileManager.default.removeItem(atPath: "\(volume)/cache/\(entry)")
            }
            try others.write(to: URL(filePath: "\(volume)/others"))
            for number in 0..<5 {
                cache.keep(Self.made(1, count: 30_000), as: "late \(number)")
                cache.waitForWrites()
            }
            #expect(notices.all.count == 1 && notices.all.first?.contains("No space left on device") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(volume)/cache").isEmpty)
        }
    }

    @Test func `costly segments are cached, separately for each version of a file`() throws {
        let folder = try TestFolder()
        let cache = try Self.cache(folder)
        let ask = { (key: SegmentStore.Key, isCostly: Bool, byte: UInt8) in
            try SegmentStore(limit: 0, disk: cache)
                .bytes(for: key, cancellation: Cancellation(), isCostly: { isCostly }) { _ in [byte] }.bytes
        }
        #expect(try ask(Self.key(1), false, 1) == [1])
        cache.waitForWrites()
        #expect(try ask(Self.key(1), true, 2) == [2])
        cache.waitForWrites()
        #expect(try ask(Self.key(1), true, 3) == [2])
        #expect(try ask(Self.key(2), true, 4) == [4])
        #expect(try ask(Self.key(1, modified: 3), true, 5) == [5])
        cache.waitForWrites()
    }

    @Test func `a restarted server reuses encoded segments`() throws {
        let folder = try TestFolder()
        let served = try ServedFolder()
        let path = "films/old.mkv"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        let library = served.responder.library
        let first = try Responder(library: library) { $0.disk = try Self.cache(folder) }
        let answers = uris.map { first.respond(to: OriginRequest(target: $0)) }
        first.services.maker.store.waitForDisk()
        #expect(first.services.maker.store.counts.made == uris.count)
        let second = try Responder(library: library) { $0.disk = try Self.cache(folder) }
        for (uri, answer) in zip(uris, answers) {
            let again = second.respond(to: OriginRequest(target: uri))
            #expect(again.bytes == answer.bytes && again.headers[.eTag] == answer.headers[.eTag])
        }
        #expect(
            second.services.maker.store.counts.made == 0 && second.services.maker.store.counts.foundOnDisk == uris.count
        )
    }
}

/// A small volume in memory for the duration of a closure; only root can mount one.
private enum SmallVolume {
    static let isPossible: Bool = {
        guard let folder = try? TestFolder() else { return false }
        return (try? with(folder.file("volume"), kibibytes: 64) { _ in }) != nil
    }()

    struct Refused: Error {}

    static func with(_ path: String, kibibytes: Int, _ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { throw Refused() }
        defer { umount2(path, 2) }
        try body(path)
    }
}
