import Foundation
import SegueTestSupport

/// The media of these tests, created once by the program.
enum AcceptanceMedia {
    /// A film of one minute and a song with cover art.
    static let recipes = """
        recipes:
          - file: film.mp4
            about: A film with sound.
            format: mp4
            duration: 60
            video: {codec: libx264, size: 128x96, rate: 12, interval: 24, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 44100, bitrate: 96000}]
          - file: song.m4a
            about: A song with cover art.
            format: mp4
            duration: 6
            audio: [{codec: aac, rate: 44100}]
            artwork: {codec: mjpeg, size: 96x96}
        """

    private static let made = Task<(TestFolder, Program.Outcome), any Error> {
        let folder = try TestFolder()
        let recipeFolder = try TestFolder()
        _ = try recipeFolder.write(Array(recipes.utf8), to: "acceptance.yaml")
        let outcome = try await Program.run("testmedia", folder.path, "--recipes", recipeFolder.path)
        return (folder, outcome)
    }

    /// The folder with the files.
    static var folder: TestFolder {
        get async throws { try await made.value.0 }
    }

    /// The result of the creation.
    static var outcome: Program.Outcome {
        get async throws { try await made.value.1 }
    }
}
