import Foundation
import GRDB
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueStores

@Suite struct `The verification cache` {
    /// A clock that a test sets.
    private final class Hour: Sendable {
        private let value = Mutex<Int64>(1)
        var now: Int64 {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    private let folder: TestFolder
    private let notices = `The index store`.Notices()

    init() throws { folder = try TestFolder() }

    private func opened(limit: Int64 = VerifiedStore.usualLimit, hour: Hour = Hour()) -> VerifiedStore {
        VerifiedStore(folder: folder.path, limit: limit, hour: { hour.now }, notice: notices.add)
    }

    /// Runs statements on the file directly.
    private func sqlite(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.file(VerifiedStore.fileName))
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `returns a key's last entry, to other processes, too`() {
        let store = opened()
        #expect(store.kept("a b") == nil)
        store.keep([1, 2, 3], as: "a b")
        store.keep([4], as: "a c")
        store.keep([5], as: "a b")
        for store in [store, opened()] {
            #expect(store.kept("a b") == [5])
            #expect(store.kept("a c") == [4])
            #expect(store.kept("a") == nil)
        }
        #expect(notices.texts == [])
    }

    @Test func `keeps its lock on the file when it is opened twice`() throws {
        let path = folder.file(VerifiedStore.fileName)
        let (one, other) = (opened(), opened())
        one.keep([1], as: "a")
        other.keep([2], as: "b")
        // A process that finds no lock of another one deletes the log when it closes the database.
        let script =
            "import sqlite3; d = sqlite3.connect('\(path)'); d.execute('SELECT count(*) FROM sqlite_master'); d.close()"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(one.kept("b") == [2])
    }

    @Test func `evicts the least recently used entries and rejects one that would evict all others`() {
        let hour = Hour()
        let store = opened(limit: 20_000, hour: hour)
        for key in ["a", "b", "c", "d"] {
            hour.now += 1
            store.keep(Array(repeating: 7, count: 4_500), as: key)
        }
        hour.now += 1
        #expect(store.kept("a") != nil)
        store.keep(Array(repeating: 7, count: 4_500), as: "e")
        #expect(["a", "b", "c", "d", "e"].filter { store.kept($0) != nil } == ["a", "d", "e"])
        store.keep(Array(repeating: 7, count: 5_001), as: "f")
        #expect(store.kept("f") == nil && store.size <= 20_000)
    }

    @Test func `shrinks to a smaller limit`() throws {
        for number in 0..<40 { opened().keep(Array(repeating: 7, count: 50_000), as: "\(number)") }
        let path = folder.file(VerifiedStore.fileName)
        #expect(opened(limit: 500_000).size <= 500_000)
        try sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < 700_000)
    }

    @Test(arguments: ["UPDATE verified SET content = x'0909'", "UPDATE verified SET key = 'other'"])
    func `rejects changed entries`(change: String) throws {
        opened().keep([1, 2], as: "key")
        try sqlite(change)
        #expect(opened().kept("key") == nil && opened().kept("other") == nil)
    }

    @Test(arguments: ["PRAGMA user_version = 2", "CREATE TABLE verified (something)"])
    func `leaves the file of another program alone and reports that in one line`(change: String) throws {
        try sqlite(change)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file(VerifiedStore.fileName)))
        let store = opened()
        for _ in 0..<3 {
            store.keep([1], as: "key")
            #expect(store.kept("key") == nil)
        }
        #expect(notices.texts.count == 1 && notices.texts[0].contains("cannot use the verification cache"))
        #expect(!notices.texts[0].contains("\n"))
        guard change.contains("user_version") else { return }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(VerifiedStore.fileName))) == before)
    }

    @Test func `replaces a file that is not a database and reports that`() throws {
        _ = try folder.write(Array(repeating: 65, count: 5000), to: VerifiedStore.fileName)
        let store = opened()
        store.keep([1], as: "key")
        #expect(store.kept("key") == [1])
        #expect(notices.texts.count == 1 && notices.texts[0].contains("is damaged"))
    }

    @Test func `serves many threads of several stores at once`() {
        let stores = (0..<4).map { _ in opened() }
        DispatchQueue.concurrentPerform(iterations: 40) { stores[$0 % 4].keep([UInt8($0)], as: "\($0)") }
        for number in 0..<40 { #expect(stores[(number + 1) % 4].kept("\(number)") == [UInt8(number)]) }
    }
}
