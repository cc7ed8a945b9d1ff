import Foundation
import HTTPTypes
import SegueConcurrency
import SegueOriginTestSupport
import SeguePackager
import SegueTestMedia
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite(.timeLimit(.minutes(2))) struct `A file that is being written` {
    private static let recipeText = """
        recipes:
          - file: recording.ts
            about: A recording.
            format: mpegts
            duration: 40
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast, bf: "2"}}
            audio: [{codec: aac, rate: 48000}]
          - file: recording.mkv
            about: A recording.
            format: matroska
            muxer: {live: "1", cluster_time_limit: "500"}
            duration: 40
            video: {codec: libx264, rate: 25, interval: 25, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000}]
          - file: recording.mp4
            about: A recording in fragments.
            format: mp4
            muxer: {movflags: +frag_keyframe+empty_moov+default_base_moof}
            duration: 40
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000}]
          - file: finished.mp4
            about: A file with its index at the end.
            format: mp4
            duration: 4
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast}}
        """

    private static let media = Result {
        let folder = try TestFolder()
        let recipes = try RecipeReader.parse(recipeText, file: "recipes")
        let result = try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2)
        try #require(result.failures.isEmpty, "\(result.failures)")
        return try recipes.map(\.file).reduce(into: [String: [UInt8]]()) {
            $0[$1] = Array(try Data(contentsOf: URL(fileURLWithPath: folder.file($1))))
        }
    }

    private let folder: TestFolder
    /// The time since the first file was written, in milliseconds.
    private let passed = Shared()

    private final class Shared: Sendable {
        let milliseconds = Atomic<Int64>(0)
        let start = Atomic<Int64>(0)
    }

    init() throws { folder = try TestFolder() }

    /// A file that a recorder has open.
    private struct Recording {
        let handle: FileHandle
        let bytes: [UInt8]

        /// Writes up to a share of the whole.
        func write(upTo share: Double) throws {
            let end = Int(Double(bytes.count) * share)
            let start = try Int(handle.seekToEnd())
            try handle.write(contentsOf: bytes[start..<end])
        }

        func close() throws { try handle.close() }
    }

    private func recording(_ name: String) throws -> Recording {
        let bytes = try #require(try Self.media.get()[name])
        let path = folder.file(name)
        _ = try folder.write([], to: name)
        return Recording(handle: try #require(FileHandle(forWritingAtPath: path)), bytes: bytes)
    }

    /// A server whose clock stands at the time of the last change of the file, and then moves by hand.
    private func server(_ name: String, keeper: (any IndexKeeping)? = nil) throws -> Served {
        let status = try #require(FileStatus(path: folder.file(name)))
        passed.start.store(status.modifiedNanoseconds / 1_000_000 + 1, ordering: .relaxed)
        let responder = Responder(library: try Library(roots: [folder.path])) { [passed] options in
            options.keeper = keeper
            options.now = {
                passed.start.load(ordering: .relaxed) + passed.milliseconds.load(ordering: .relaxed)
            }
        }
        let item = try #require(responder.library.items.first { $0.path == name })
        return Served(responder: responder, base: "/items/\(item.id)/")
    }

    private func pass(_ milliseconds: Int64) { passed.milliseconds.add(milliseconds, ordering: .relaxed) }

    private struct Served {
        let responder: Responder
        let base: String

        func get(_ name: String) -> OriginResponse {
            responder.respond(to: OriginRequest(method: "GET", target: base + name))
        }

        func playlist(_ query: String = "?container=ts") throws -> Playlist {
            let response = get("index.m3u8" + query)
            try #require(response.status == 200, "\(response.message ?? "")")
            return Playlist(text: response.text)
        }
    }

    private struct Playlist {
        let text: String

        var uris: [String] { text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init) }
        var isOver: Bool { text.contains("#EXT-X-ENDLIST") }
        var isEvent: Bool { text.contains("#EXT-X-PLAYLIST-TYPE:EVENT") }
        var target: Substring? { text.split(separator: "\n").first { $0.hasPrefix("#EXT-X-TARGETDURATION") } }
        var durations: [Substring] { text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF") } }
    }

    @Test(arguments: ["recording.ts", "recording.mkv", "recording.mp4"], ["ts", "fmp4"])
    func `grows in its playlist and keeps its addresses`(_ name: String, _ container: String) throws {
        let recording = try recording(name)
        try recording.write(upTo: 0.4)
        let server = try server(name)
        let query = "?container=\(container)"
        let first = try server.playlist(query)
        #expect(!first.isOver && first.isEvent)
        #expect(first.text.contains("#EXT-X-MEDIA-SEQUENCE:0\n"))
        #expect(first.uris.count >= 1)
        let bodies = first.uris.map { server.get($0).bytes }
        try recording.write(upTo: 0.7)
        pass(2000)
        let second = try server.playlist(query)
        #expect(!second.isOver && second.isEvent)
        #expect(second.uris.count > first.uris.count)
        #expect(second.uris.starts(with: first.uris))
        #expect(second.durations.starts(with: first.durations))
        #expect(second.target == first.target)
        #expect(first.uris.map { server.get($0).bytes } == bodies)
        try recording.write(upTo: 1)
        try recording.close()
        pass(2000)
        #expect(try !server.playlist(query).isOver)
        pass(GrowingFiles.stillness)
        let last = try server.playlist(query)
        #expect(last.isOver && last.isEvent == false)
        #expect(last.uris.starts(with: second.uris))
        // The whole is that of a server that never saw the file grow.
        let later = try self.server(name)
        passed.milliseconds.store(Int64(3_600_000), ordering: .relaxed)
        let whole = try later.playlist(query)
        #expect(whole.isOver)
        #expect(whole.uris != last.uris)
        #expect(whole.durations == last.durations)
        #expect(whole.uris.map { later.get($0).bytes } == last.uris.map { server.get($0).bytes })
    }

    @Test func `is complete at first without a writer, and grows with its first new data`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.5)
        try recording.close()
        let server = try server("recording.ts")
        let first = try server.playlist()
        #expect(first.isOver)
        let handle = try #require(FileHandle(forWritingAtPath: folder.file("recording.ts")))
        let more = Recording(handle: handle, bytes: recording.bytes)
        try more.write(upTo: 0.8)
        pass(1000)
        #expect(first.uris.allSatisfy { server.get($0).status == 200 })
        let second = try server.playlist()
        #expect(!second.isOver)
        #expect(second.uris.count >= first.uris.count)
        #expect(second.uris.starts(with: first.uris.dropLast()))
        try more.write(upTo: 1)
        try more.close()
        pass(2000)
        pass(GrowingFiles.stillness)
        _ = try server.playlist()
        pass(GrowingFiles.stillness)
        let last = try server.playlist()
        #expect(last.isOver)
        // The segment that was last at first is whole now.
        let whole = try #require(last.uris.first { $0 == first.uris.last })
        #expect(server.get(whole).bytes.count > 0)
        #expect(last.uris.count > first.uris.count)
    }

    /// A cache in memory.
    private final class Keeper: IndexKeeping {
        private let parts = Mutex<[String: [UInt8]]>([:])

        private static func key(_ part: String, _ file: FileIdentity) -> String {
            "\(part) \(file.path) \(file.size) \(file.modifiedNanoseconds) \(file.inode)"
        }

        func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
            parts.withLock { $0[Self.key(part, file)] }
        }

        func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
            parts.withLock { $0[Self.key(part, file)] = bytes }
        }
    }

    @Test(arguments: ["recording.ts", "recording.mkv"], [true, false])
    func `keeps its addresses when the server restarts`(_ name: String, growsFirst: Bool) throws {
        let keeper = Keeper()
        let recording = try recording(name)
        try recording.write(upTo: 0.4)
        // Without a writer, the file is complete until it grows.
        if !growsFirst { try recording.close() }
        let server = try server(name, keeper: keeper)
        let first = try server.playlist().uris.prefix(2)
        let bodies = first.map { server.get($0).bytes }
        let handle = try #require(FileHandle(forWritingAtPath: folder.file(name)))
        let more = Recording(handle: handle, bytes: recording.bytes)
        try more.write(upTo: 0.7)
        pass(2000)
        #expect(try server.playlist().uris.starts(with: first.dropLast()))
        let second = try self.server(name, keeper: keeper)
        let listed = try second.playlist().uris
        #expect(listed.starts(with: first.dropLast()))
        #expect(second.get(first[0]).bytes == bodies[0])
        try more.write(upTo: 1)
        try more.close()
        if growsFirst { try recording.close() }
        // The whole recording, long over, on a third server.
        let third = try self.server(name, keeper: keeper)
        passed.milliseconds.store(3_600_000, ordering: .relaxed)
        let whole = try third.playlist()
        #expect(whole.isOver && whole.uris.starts(with: listed.dropLast()))
        #expect(third.get(first[0]).bytes == bodies[0])
        // Another file in its place has other addresses.
        var other = recording.bytes
        for place in other.indices where place % 188 > 100 { other[place] ^= 0x55 }
        let handleOfOther = try #require(FileHandle(forWritingAtPath: folder.file(name)))
        try handleOfOther.write(contentsOf: other)
        try handleOfOther.close()
        let fourth = try self.server(name, keeper: keeper)
        #expect(fourth.get(first[0]).status == 404)
    }

    @Test func `has new addresses when another file replaces it`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.5)
        let server = try server("recording.ts")
        let first = try server.playlist()
        var other = recording.bytes
        for place in other.indices where place % 188 > 100 { other[place] ^= 0x55 }
        try Data(other).write(to: URL(fileURLWithPath: folder.file("recording.ts")))
        pass(1000)
        #expect(first.uris.allSatisfy { server.get($0).status == 404 })
        try recording.close()
    }

    @Test func `has no playlist before its first segment`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.1)
        let server = try server("recording.ts")
        let response = server.get("index.m3u8?container=ts")
        #expect(response.status == 503)
        #expect(response.code == "tooShort")
        #expect(response.headers[.retryAfter] == "2")
        #expect(response.blockedUntil != nil)
        try recording.write(upTo: 0.5)
        pass(2000)
        #expect(try server.playlist().uris.isEmpty == false)
        try recording.close()
    }

    @Test func `holds its playlist until three segments are listed, or it is complete`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.3)
        let server = try server("recording.ts")
        let early = server.get("index.m3u8?container=ts")
        #expect(early.status == 200)
        #expect((1..<3).contains(Playlist(text: early.text).uris.count))
        #expect(early.blockedUntil != nil)
        try recording.write(upTo: 0.7)
        pass(2000)
        let due = server.get("index.m3u8?container=ts")
        #expect(Playlist(text: due.text).uris.count >= 3)
        #expect(due.blockedUntil == nil)
        try recording.close()
    }

    @Test func `does not hold the playlist of a short recording that is over`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.3)
        let server = try server("recording.ts")
        #expect(server.get("index.m3u8?container=ts").blockedUntil != nil)
        try recording.close()
        pass(GrowingFiles.stillness + 1)
        #expect(server.get("index.m3u8?container=ts").blockedUntil == nil)
        #expect(try server.playlist().isOver)
    }

    @Test func `is complete at last although a process has it open`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.5)
        let server = try server("recording.ts")
        #expect(try !server.playlist().isOver)
        pass(GrowingFiles.stillness)
        #expect(try !server.playlist().isOver)
        pass(GrowingFiles.stillnessWithWriter)
        #expect(try server.playlist().isOver)
        try recording.close()
    }

    @Test func `has no byte ranges yet`() throws {
        let recording = try recording("recording.ts")
        try recording.write(upTo: 0.5)
        let response = try server("recording.ts").get("index.m3u8?container=ts&byterange=1")
        #expect(response.status == 422)
        #expect(response.code == "stillGrowing")
        try recording.close()
    }

    @Test func `is named as unfinished without its index`() throws {
        let recording = try recording("finished.mp4")
        try recording.write(upTo: 0.5)
        let server = try server("finished.mp4")
        let response = server.get("index.m3u8")
        #expect(response.status == 422)
        #expect(response.code == "unfinished")
        #expect(response.message?.contains("still being written") == true)
        try recording.write(upTo: 1)
        try recording.close()
        #expect(server.get("index.m3u8").status == 200)
    }
}
