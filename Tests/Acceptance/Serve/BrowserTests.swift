import Foundation
import SegueTestSupport
import Testing

/// Chromium, if installed, plays from the page of the program.
///
/// `Tools/run play-page` controls it. The server is a separate process: in this one the many requests of a page
/// would wait for the threads that all tests share.
@Suite(.enabled(if: Browser.isInstalled, "there is no Chromium in PATH"))
struct `The page in a browser` {
    private static let recipes = """
        recipes:
          - file: films/film.mp4
            about: A film.
            format: mp4
            duration: 14
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 44100, language: eng}]
          - file: song.mp3
            about: A song with a cover.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 9
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 96x64}
        """

    private static let made = Task<TestFolder, any Error> {
        let (folder, recipeFolder) = (try TestFolder(), try TestFolder())
        _ = try recipeFolder.write(Array(recipes.utf8), to: "browser.yaml")
        let outcome = try await Program.run("testmedia", folder.path, "--recipes", recipeFolder.path)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return folder
    }

    @Test(arguments: ["film", "song"])
    func `a click plays, and the switch to audio only keeps the position`(name: String) async throws {
        let folder = try await Self.made.value.path
        let code = try await Program.serving(folder, seconds: 840) { served in
            let states = try await Browser.play(try await served.itemID(name), from: served.address)
            let full = try #require(states["full"])
            #expect(full.problem == nil && full.position > 1 && !full.paused && full.isVideoWanted)
            let isFilm = name == "film"
            // The server recognizes Chromium, and transcodes the song's MP3 to AAC for gapless playback.
            #expect((full.width > 0) == isFilm && (full.picture > 0) == isFilm && full.sound > 0)
            let background = try #require(states["background"])
            #expect(background.problem == nil && !background.isVideoWanted)
            #expect(background.position > background.switchedAt ?? .infinity)
            let again = try #require(states["fullAgain"])
            #expect(again.problem == nil && again.width == full.width && again.isVideoWanted)
            #expect(again.position > again.switchedAt ?? .infinity)
        }
        #expect(code == 0)
    }
}

/// The browser and its messages about a video.
private enum Browser {
    struct State: Decodable {
        var position: Double
        var width: Int
        var paused: Bool
        var problem: String?
        var isVideoWanted: Bool
        var sound: Int
        var picture: Int
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
    static func play(_ item: String, from address: String) async throws -> [String: State] {
        let tools = Checkout.path("Tools/run")
        let outcome = try await Program.run("python3", [tools, "play-page", address, item])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([String: State].self, from: Data(outcome.output.utf8))
    }
}
