import Foundation
import Origin
import OriginTestSupport
import Testing

@testable import OriginServer

/// Chromium, where there is one, plays from the page.
///
/// `Tests/Browser/play.py` tells it what to do.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Browser.isInstalled, "there is no Chromium in PATH"))
struct `The page in a browser` {
    @Test(arguments: ["films/film.mp4", "song.mp3"])
    func `a click plays, and the switch to sound alone keeps the position`(path: String) async throws {
        let served = try ServedFolder(page: WebPage { [] })
        _ = served.get("/api/items")
        let item = try served.item(path)
        try await withServer(threads: 4, queueLimit: 64, { served.responder.respond(to: $0, cancellation: $1) }) {
            let states = try await Browser.play(item.id, from: $0)
            let full = try #require(states["full"])
            #expect(full.error == nil && full.position > 1 && !full.paused)
            // A song shows its cover.
            #expect(full.width > 0)
            let background = try #require(states["background"])
            #expect(background.error == nil && background.width == 0)
            #expect(background.position > background.switchedAt ?? .infinity)
            #expect(background.source.contains("background=1"))
            let again = try #require(states["fullAgain"])
            #expect(again.error == nil && again.width == full.width)
            #expect(again.position > again.switchedAt ?? .infinity)
        }
    }
}

/// The browser and what it says of a video.
private enum Browser {
    struct State: Decodable {
        var position: Double
        var width: Int
        var paused: Bool
        var error: String?
        var source: String
        var notice: String
        var switchedAt: Double?
    }

    static var isInstalled: Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let has = { (names: [String]) in
            names.contains { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
        }
        return has(["chromium", "chromium-browser", "google-chrome"]) && has(["python3"])
    }

    /// Plays an item from the page of a server.
    static func play(_ item: String, from address: OriginServer.Address) async throws -> [String: State] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Browser/play.py").standardized.path
        let output = try await blocking {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", script, "http://\(address)/", item]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return output
        }.value
        return try JSONDecoder().decode([String: State].self, from: output)
    }
}
