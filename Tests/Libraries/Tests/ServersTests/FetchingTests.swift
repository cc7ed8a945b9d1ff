import Foundation
import SeguePlayer
import SegueRecord
import Testing

/// Streams that are fetched once; how they are fetched is tested with `StreamRecorder`.
@MainActor @Suite struct FetchingTests {
    @Test func `an existing recording is not fetched again`() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let line = #"{"at":0,"method":"GET","url":"http://nobody.invalid/a.m3u8","status":410,"headers":[],"bytes":0}"#
        try Data(line.utf8).write(to: folder.appendingPathComponent("recording.jsonl"))
        let server = try await Server.fetching("http://nobody.invalid/a.m3u8", keptIn: folder.path)
        #expect(server.response(to: "http://nobody.invalid/a.m3u8").status == 410)
        #expect(server.response(to: "http://nobody.invalid/b.m3u8").status == 404)
    }

    @Test func `a stream that cannot be fetched is an error, and leaves no recording`() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 0..<2 {
            let error = await #expect(throws: (any Error).self) {
                // A port that nobody listens on.
                try await Server.fetching("http://127.0.0.1:1/a.m3u8", keptIn: folder)
            }
            #expect("\(try #require(error))".hasPrefix("http://127.0.0.1:1/a.m3u8: cannot be recorded: "))
        }
    }

    @Test func `nothing is fetched within virtual time`() async throws {
        try await withWorld { _ in
            await #expect(throws: FetchingError.self) {
                try await Server.fetching("http://127.0.0.1:1/a.m3u8", keptIn: "nowhere")
            }
        }
    }
}
