import Foundation
import SegueOrigin
import SegueStores
import SegueTestSupport
import Testing

@Suite struct `The resume store` {
    private static func point(_ id: String, _ position: Double, at: Int64) -> ResumePoint {
        ResumePoint(id: id, position: position, duration: 100, isFinished: position > 90, at: at, changed: at + 1)
    }

    @Test func `shares positions with other processes, separately for each person`() throws {
        let folder = try TestFolder()
        let path = folder.file("data/segue")
        let store = try ResumeStore(folder: path)
        let other = try ResumeStore(folder: path)
        _ = try store.keep(Self.point("a", 1, at: 10), of: "anna")
        _ = try other.keep(Self.point("b", 95, at: 20), of: "anna")
        _ = try other.keep(Self.point("a", 7, at: 30), of: "")
        #expect(try store.points(of: "anna") == [Self.point("b", 95, at: 20), Self.point("a", 1, at: 10)])
        #expect(try store.points(of: "") == [Self.point("a", 7, at: 30)])
        try store.forget("b", of: "anna")
        #expect(try other.points(of: "anna").map(\.id) == ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: path + "/resume.sqlite")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `keeps the newest position`() throws {
        let folder = try TestFolder()
        let store = try ResumeStore(folder: folder.path)
        _ = try store.keep(Self.point("a", 1, at: 10), of: "anna")
        #expect(try store.keep(Self.point("a", 2, at: 9), of: "anna") == Self.point("a", 1, at: 10))
        #expect(try store.keep(Self.point("a", 3, at: 10), of: "anna") == Self.point("a", 3, at: 10))
        #expect(try store.points(of: "anna") == [Self.point("a", 3, at: 10)])
    }

    @Test func `rejects another program's file`() throws {
        let folder = try TestFolder()
        _ = try folder.write(
            Array("this is no database, and long enough to be told from one".utf8),
            to: "resume.sqlite"
        )
        let error = #expect(throws: StoreError.self) { try ResumeStore(folder: folder.path) }
        #expect(error?.description.hasPrefix(folder.file("resume.sqlite") + ": ") == true)
    }
}
