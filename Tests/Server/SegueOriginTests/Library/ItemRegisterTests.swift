import Foundation
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `The register of items` {
    /// A disk in memory: contents and inodes by path.
    private final class Disk {
        struct File {
            var content: UInt64
            var inode: UInt64
            var size: Int64 = 100
            var modified: Int64 = 1
        }

        var files: [String: File] = [:]
        var readPaths: [String] = []

        func move(_ old: String, to new: String) { (files[new], files[old]) = (files[old], nil) }

        func swap(_ one: String, _ other: String) { (files[one], files[other]) = (files[other], files[one]) }
    }

    private let root = Array("/media".utf8)
    private let disk = Disk()

    private func place(_ path: String) -> ItemRecord.Place { ItemRecord.Place(root: root, path: Array(path.utf8)) }

    /// Scans the disk, and reads the content of each file if `isRead`.
    private func scan(_ register: inout ItemRegister, at now: Int64 = 1, isRead: Bool = true) {
        let fingerprint = { [disk] (place: ItemRecord.Place) -> ContentFingerprint? in
            disk.readPaths.append(String(decoding: place.path, as: UTF8.self))
            return disk.files[String(decoding: place.path, as: UTF8.self)].map {
                ContentFingerprint(high: $0.content, low: 0)
            }
        }
        let files = disk.files.sorted { $0.key < $1.key }.map { path, file in
            let stamp = ItemRecord.Stamp(size: file.size, modifiedNanoseconds: file.modified, inode: file.inode)
            return ItemRegister.File(place: place(path), stamp: stamp)
        }
        let access = ItemRegister.Disk(
            exists: { [disk] in disk.files[String(decoding: $0.path, as: UTF8.self)] != nil },
            fingerprint: fingerprint
        )
        register.update(files, below: [root], at: now, disk: access)
        let reads = disk.readPaths
        for file in files where isRead {
            guard let stamp = file.stamp, let content = fingerprint(file.place) else { continue }
            register.note(content, of: file.place, stamp: stamp)
        }
        disk.readPaths = reads
    }

    private func ids(_ register: ItemRegister) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: disk.files.keys.compactMap { path in
                register.id(of: place(path)).map { (path, $0) }
            }
        )
    }

    private func registered(_ files: [String: Disk.File], isRead: Bool = true) -> (ItemRegister, [String: String]) {
        disk.files = files
        var register = ItemRegister()
        scan(&register, isRead: isRead)
        return (register, ids(register))
    }

    @Test func `a renamed file keeps its id, and no file is read`() {
        var (register, before) = registered(
            ["a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2)],
            isRead: false
        )
        disk.move("a", to: "z/c")
        scan(&register, isRead: false)
        #expect(ids(register) == ["b": before["b"], "z/c": before["a"]])
        #expect(disk.readPaths.isEmpty)
    }

    @Test func `a file that was moved to another disk keeps its id`() {
        var (register, before) = registered(["a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2)])
        disk.move("a", to: "c")
        disk.files["c"]?.inode = 77
        disk.files["c"]?.modified = 9
        disk.files["d"] = .init(content: 3, inode: 78)
        scan(&register)
        #expect(register.id(of: place("c")) == before["a"])
        #expect(Set(ids(register).values).count == 3)
        // No other missing file has the size of d.
        #expect(disk.readPaths == ["c"])
    }

    @Test func `a file of another size is not read`() {
        var (register, _) = registered(["a": .init(content: 1, inode: 1)])
        disk.files = ["c": .init(content: 1, inode: 2, size: 101)]
        scan(&register)
        #expect(disk.readPaths.isEmpty)
    }

    @Test func `a file that returns later has its old id, at its own or another path`() {
        var (register, before) = registered(["a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2)])
        let files = disk.files
        disk.files = [:]
        scan(&register)
        disk.files = ["a": files["a"]!, "x": files["b"]!]
        scan(&register)
        #expect(ids(register) == ["a": before["a"], "x": before["b"]])
    }

    @Test func `a copy is another item, and stays it when the original is deleted`() {
        var (register, before) = registered(["a": .init(content: 1, inode: 1)])
        disk.files["b"] = .init(content: 1, inode: 2)
        scan(&register)
        let both = ids(register)
        #expect(both["a"] == before["a"] && both["b"] != before["a"])
        disk.files["a"] = nil
        scan(&register)
        #expect(ids(register) == ["b": both["b"]])
    }

    @Test func `a copy beside an edited original is another item`() {
        var (register, before) = registered(["a": .init(content: 1, inode: 1)])
        disk.files = ["a": .init(content: 5, inode: 1, size: 120, modified: 2), "b": .init(content: 1, inode: 2)]
        scan(&register)
        #expect(register.id(of: place("a")) == before["a"])
        #expect(register.id(of: place("b")) != before["a"])
    }

    @Test func `files that exchange their names exchange their ids`() {
        let files: [String: Disk.File] = [
            "a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2), "c": .init(content: 3, inode: 3),
            "d": .init(content: 4, inode: 4),
        ]
        var (register, before) = registered(files)
        disk.swap("a", "b")
        scan(&register)
        #expect(ids(register) == ["a": before["b"], "b": before["a"], "c": before["c"], "d": before["d"]])
        disk.swap("b", "c")
        disk.swap("c", "d")
        let circle = ids(register)
        scan(&register)
        #expect(ids(register) == ["a": circle["a"], "b": circle["c"], "c": circle["d"], "d": circle["b"]])
    }

    @Test func `files that move up by one name keep their ids`() {
        var (register, before) = registered(["1": .init(content: 1, inode: 1), "2": .init(content: 2, inode: 2)])
        disk.move("2", to: "3")
        disk.move("1", to: "2")
        disk.files["1"] = .init(content: 9, inode: 9)
        scan(&register)
        let after = ids(register)
        #expect(after["2"] == before["1"] && after["3"] == before["2"])
        #expect(Set(after.values).count == 3)
        scan(&register)
        #expect(ids(register) == after)
    }

    @Test func `a file that is edited or replaced in place keeps its id`() {
        var (register, before) = registered(["a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2)])
        disk.files["a"] = .init(content: 5, inode: 1, size: 120, modified: 2)
        scan(&register)
        #expect(ids(register) == before)
        // As editors do: a new file is written and renamed over the old one.
        disk.move("b", to: "a")
        scan(&register)
        #expect(ids(register) == ["a": before["a"]])
    }

    @Test func `empty files are identified by their paths`() {
        var (register, before) = registered(["a": .init(content: 0, inode: 1, size: 0)])
        disk.files = ["b": .init(content: 0, inode: 1, size: 0)]
        scan(&register)
        #expect(ids(register)["b"] != before["a"])
    }

    @Test func `of several equal files the namesake is the moved one`() {
        var (register, before) = registered(["x/1": .init(content: 1, inode: 1), "x/2": .init(content: 1, inode: 2)])
        disk.files = ["y/2": .init(content: 1, inode: 8), "y/1": .init(content: 1, inode: 9)]
        scan(&register)
        #expect(ids(register) == ["y/1": before["x/1"], "y/2": before["x/2"]])
    }

    @Test func `only changes are stored`() throws {
        var (register, _) = registered(["a": .init(content: 1, inode: 1), "b": .init(content: 2, inode: 2)])
        let all = register.takeChange()
        #expect(all.records.count == 2 && all.removed.isEmpty)
        scan(&register, at: 2)
        #expect(register.takeChange().isEmpty)
        disk.move("a", to: "c")
        scan(&register, at: 3)
        let change = register.takeChange()
        #expect(change.records.map(\.place) == [place("c")] && change.removed == [place("a")])
        var stored = ItemRegister(all.records.filter { $0.place != place("a") } + change.records)
        scan(&stored)
        #expect(ids(stored) == ids(register))
    }

    @Test func `records of missing files are limited`() {
        let files = (0..<(ItemRegister.missingLimit + 2)).map { number in
            let place = ItemRecord.Place(root: root, path: Array("\(number)".utf8))
            return ItemRecord(place: place, id: "\(number)", stamp: .unknown, changed: Int64(number))
        }
        var register = ItemRegister(files)
        disk.files["new"] = .init(content: 1, inode: 1)
        register.update(
            [ItemRegister.File(place: place("new"), stamp: nil)],
            below: [root],
            at: 1_000_000,
            disk: ItemRegister.Disk(exists: { _ in false }, fingerprint: { _ in nil })
        )
        #expect(register.records.count == ItemRegister.missingLimit + 1)
    }
}
