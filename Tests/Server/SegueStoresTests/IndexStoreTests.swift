import Foundation
import SeguePackager
import SegueStores
import SegueTestSupport
import Synchronization
import Testing

@Suite struct `The index store` {
    static func identity(_ number: Int, path: String = "/films/a.ts") -> FileIdentity {
        FileIdentity(path: path, size: Int64(number), modifiedNanoseconds: 5, inode: .max)
    }

    /// Collects notices.
    final class Notices: Sendable {
        private let all = Mutex<[String]>([])
        var texts: [String] { all.withLock { $0 } }
        func add(_ text: String) { all.withLock { $0.append(text) } }
    }

    @Test func `returns an entry to other processes, too, but only for the unchanged file`() throws {
        let folder = try TestFolder()
        let store = IndexStore(folder: folder.file("deep/cache"))
        let file = Self.identity(1)
        #expect(store.kept("packets", of: file) == nil)
        store.keep([1, 2, 3], as: "packets", of: file)
        store.keep([4], as: "sound/1", of: file)
        store.keep([], as: "empty", of: file)
        let other = IndexStore(folder: folder.file("deep/cache"))
        for store in [store, other] {
            #expect(store.kept("packets", of: file) == [1, 2, 3])
            #expect(store.kept("sound/1", of: file) == [4])
            #expect(store.kept("empty", of: file) == [])
            #expect(store.kept("packets", of: Self.identity(2)) == nil)
            #expect(store.kept("packets", of: Self.identity(1, path: "/films/b.ts")) == nil)
        }
        other.keep([9], as: "packets", of: Self.identity(2))
        #expect(store.kept("packets", of: Self.identity(2)) == [9])
        #expect(store.kept("packets", of: file) == nil)
    }

    @Test func `evicts the least recently used entries and rejects one that is too large`() throws {
        let folder = try TestFolder()
        let store = IndexStore(folder: folder.path, limit: 1000)
        let files = (0..<8).map { Self.identity(1, path: "/films/\($0).ts") }
        for file in files.prefix(4) { store.keep(Array(repeating: 7, count: 240), as: "packets", of: file) }
        #expect(store.kept("packets", of: files[0]) != nil)
        store.keep(Array(repeating: 7, count: 240), as: "packets", of: files[4])
        #expect(store.kept("packets", of: files[1]) == nil)
        #expect([0, 2, 3, 4].allSatisfy { store.kept("packets", of: files[$0]) != nil })
        store.keep(Array(repeating: 7, count: 251), as: "packets", of: files[5])
        #expect(store.kept("packets", of: files[5]) == nil)
        #expect(store.size == 960)
    }

    @Test(arguments: ["no database at all", "damaged"])
    func `replaces a damaged database and reports that`(kind: String) throws {
        let folder = try TestFolder()
        let notices = Notices()
        let path = folder.file(IndexStore.fileName)
        let file = Self.identity(1)
        if kind == "damaged" {
            do {
                let store = IndexStore(folder: folder.path)
                store.keep(Array(repeating: 7, count: 200_000), as: "packets", of: file)
            }
            var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            for place in 100..<8192 { bytes[place] = 0xa5 }
            _ = try folder.write(bytes, to: IndexStore.fileName)
        } else {
            _ = try folder.write(Array(repeating: 65, count: 5000), to: IndexStore.fileName)
        }
        let store = IndexStore(folder: folder.path, notice: notices.add)
        #expect(store.kept("packets", of: file) == nil)
        store.keep([1], as: "packets", of: file)
        #expect(store.kept("packets", of: file) == [1])
        #expect(notices.texts.count == 1 && notices.texts[0].contains("is damaged"))
        #expect(FileManager.default.fileExists(atPath: path + ".broken"))
    }

    @Test func `works without a database that cannot be written, and reports the reason once`() throws {
        let folder = try TestFolder()
        let notices = Notices()
        // A file in place of the folder cannot be written to, even as root.
        let store = IndexStore(folder: try folder.write([1], to: "file"), notice: notices.add)
        for _ in 0..<3 {
            store.keep([1], as: "packets", of: Self.identity(1))
            #expect(store.kept("packets", of: Self.identity(1)) == nil)
        }
        #expect(notices.texts.count == 1)
        #expect(!notices.texts[0].contains("\n"))
    }

    @Test func `serves many threads of several stores at once`() throws {
        let folder = try TestFolder()
        let stores = [IndexStore(folder: folder.path), IndexStore(folder: folder.path)]
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            let file = Self.identity(1, path: "/films/\(number).ts")
            stores[number % 2].keep([UInt8(number)], as: "packets", of: file)
        }
        for number in 0..<40 {
            let file = Self.identity(1, path: "/films/\(number).ts")
            #expect(stores[(number + 1) % 2].kept("packets", of: file) == [UInt8(number)])
        }
    }

    @Test func `lies in the user's cache folder`() {
        #expect(UserCaches.folder(in: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/segue")
        #expect(UserCaches.folder(in: ["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/segue")
        #expect(UserCaches.folder(in: [:]) == nil)
    }
}
