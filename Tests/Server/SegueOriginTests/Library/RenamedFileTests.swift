import Foundation
import HTTPTypes
import SegueConcurrency
import SegueOriginTestSupport
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Renamed files` {
    /// Records in memory that outlive a library.
    private final class Stored: Sendable {
        private let records = Mutex<[ItemRecord.Place: ItemRecord]>([:])

        var items: StoredItems {
            StoredItems(records.withLock { Array($0.values) }) { [self] change in
                records.withLock { records in
                    for place in change.removed { records[place] = nil }
                    for record in change.records { records[record.place] = record }
                }
            }
        }
    }

    private let folder: TestFolder
    private let stored = Stored()
    private let points = MemoryResumePoints()

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("films"), withIntermediateDirectories: false)
        for number in 0..<3 { try write("\(number).mp4", UInt8(number), count: 300_000) }
    }

    private func write(_ name: String, _ byte: UInt8, count: Int) throws {
        _ = try folder.write([UInt8](repeating: byte, count: count), to: name)
    }

    private func rename(_ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: folder.file(old), toPath: folder.file(new))
    }

    /// A responder whose background scan has ended.
    private func started() throws -> Responder {
        let responder = Responder(library: try Library(roots: [folder.path], stored: stored.items)) { [points] in
            $0.points = points
        }
        indexAll(responder)
        return responder
    }

    private func indexAll(_ responder: Responder) {
        responder.learner.rescan()
        responder.learner.learn(cancellation: Cancellation()) { [learner = responder.learner] in
            learner.look(into: $0, cancellation: Cancellation())
        }
    }

    private func id(_ path: String, _ responder: Responder) throws -> String {
        try #require(responder.library.items.first { $0.path == path }).id
    }

    private func resume(_ id: String, at position: Double, _ responder: Responder) {
        var request = OriginRequest(
            method: "PUT",
            target: "/api/resume/\(id)",
            headers: [.contentType: "application/json"]
        )
        request.body = Array(#"{"position":\#(position),"duration":60}"#.utf8)
        #expect(responder.respond(to: request).status == 200)
    }

    private func shownIDs(_ responder: Responder) throws -> [String] {
        let bytes = responder.respond(to: OriginRequest(target: "/api/resume")).bytes
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [[String: Any]]]
        return object?["points"]?.compactMap { $0["id"] as? String } ?? []
    }

    @Test func `keep their resume points and URLs while the server runs`() throws {
        let server = try started()
        let id = try id("1.mp4", server)
        resume(id, at: 12, server)
        try rename("1.mp4", "films/The Film.mp4")
        #expect(server.respond(to: OriginRequest(target: "/items/\(id)/original")).status == 404)
        server.learner.rescan()
        #expect(try self.id("films/The Film.mp4", server) == id)
        #expect(try shownIDs(server) == [id])
        let file = server.respond(to: OriginRequest(target: "/items/\(id)/original"))
        #expect(file.status == 200 && file.bytes.first == 1)
    }

    @Test(arguments: [true, false])
    func `keep their resume points while the server is stopped`(isOnAnotherDisk: Bool) throws {
        let first = try started()
        let id = try id("1.mp4", first)
        resume(id, at: 12, first)
        first.close()
        if isOnAnotherDisk {
            // A move between disks writes a new file.
            try write("films/The Film.mp4", 1, count: 300_000)
            try FileManager.default.removeItem(atPath: folder.file("1.mp4"))
        } else {
            try rename("1.mp4", "films/The Film.mp4")
        }
        let second = try started()
        #expect(try self.id("films/The Film.mp4", second) == id)
        #expect(try shownIDs(second) == [id])
        // The id is stored for the new path.
        second.close()
        #expect(try self.id("films/The Film.mp4", try started()) == id)
    }

    @Test func `that exchange their names exchange their ids`() throws {
        let server = try started()
        let (one, two) = (try id("1.mp4", server), try id("2.mp4", server))
        try rename("1.mp4", "x.mp4")
        try rename("2.mp4", "1.mp4")
        try rename("x.mp4", "2.mp4")
        server.learner.rescan()
        #expect(try id("1.mp4", server) == two && id("2.mp4", server) == one)
    }

    @Test func `differ from copies and from edited files`() throws {
        let server = try started()
        let (one, two) = (try id("1.mp4", server), try id("2.mp4", server))
        try FileManager.default.copyItem(atPath: folder.file("1.mp4"), toPath: folder.file("copy.mp4"))
        try write("2.mp4", 9, count: 300_001)
        server.learner.rescan()
        #expect(try id("1.mp4", server) == one && id("2.mp4", server) == two)
        #expect(try id("copy.mp4", server) != one)
        #expect(Set(server.library.items.map(\.id)).count == 4)
    }

    @Test func `a fingerprint reads three blocks of a large file`() throws {
        let block = Int64(ContentFingerprint.block)
        let size = 10 * block
        let ranges = ContentFingerprint.ranges(of: size)
        #expect(ranges.map(\.count) == [Int(block), Int(block), Int(block)])
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == size)
        #expect(ContentFingerprint.ranges(of: 3 * block) == [0..<(3 * block)])
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let print = { (bytes: [UInt8]) in
            ContentFingerprint.reading(Array(try folder.write(bytes, to: "large.bin").utf8))?.fingerprint
        }
        let first = try #require(try print(bytes))
        for place in [0, Int(size / 2), Int(size) - 1] {
            bytes[place] = 1
            #expect(try print(bytes) != first)
            bytes[place] = 0
        }
        #expect(try print(bytes) == first)
        #expect(try print(bytes.dropLast()) != first)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(ContentFingerprint.reading(Array(folder.file("pipe").utf8)) == nil)
    }
}
