import Foundation
import SegueOrigin
import SegueStores
import SegueTestSupport
import Testing

@Suite struct `The store of items` {
    /// Records with the extreme values of each column.
    static let samples = [
        ItemRecord(
            place: .init(root: [0x2F, 0xFF], path: Array("films/caf".utf8) + [0xE9]),
            id: "0123456789ab",
            stamp: .init(size: .max, modifiedNanoseconds: -1, inode: .max),
            fingerprint: ContentFingerprint(high: .max, low: 0),
            changed: 5
        ),
        ItemRecord(
            place: .init(root: [0x2F], path: [0x61]),
            id: "b",
            stamp: .init(size: 0, modifiedNanoseconds: 0, inode: 0),
            isPresent: false,
            changed: 6
        ),
    ]

    @Test func `keeps records for later runs`() throws {
        let folder = try TestFolder()
        let store = try ItemStore(folder: folder.file("data"))
        try store.store(.init(records: Self.samples))
        let other = try ItemStore(folder: folder.file("data"))
        #expect(try Set(other.records().map(\.id)) == Set(Self.samples.map(\.id)))
        #expect(try Self.samples.allSatisfy(other.records().contains))
        try other.store(.init(removed: [Self.samples[0].place]))
        #expect(try store.records() == [Self.samples[1]])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("data/items.sqlite"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `a library with stored items finds a file that was renamed meanwhile`() throws {
        let folder = try TestFolder()
        let media = try TestFolder()
        let file = try media.write([1, 2, 3], to: "old.mp3")
        func library() throws -> Library {
            let store = try ItemStore(folder: folder.path)
            return try Library(
                roots: [media.path],
                stored: StoredItems(try store.records()) { change in
                    do { try store.store(change) } catch { Issue.record(error) }
                }
            )
        }
        let before = try library().items.map(\.id)
        try FileManager.default.moveItem(atPath: file, toPath: media.file("new.mp3"))
        let after = try library().items
        #expect(after.map(\.id) == before && after.map(\.path) == ["new.mp3"])
    }
}
