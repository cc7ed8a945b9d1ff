import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Synchronization
import Testing

@Suite struct `Media maker` {
    private static let few = """
        recipes:
          - file: film.mp4
            about: A film.
            format: mp4
            duration: 1
            video: {codec: libx264, size: 96x64, rate: 25, interval: 5, bframes: 2, rotation: 90, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000, language: fra, title: Un}, {codec: ac3, rate: 48000}]
            artwork: {codec: png, size: 96x64}
            tags: {title: Film}
            chapters: [{title: One}, {start: 0.5, title: Two}]
          - {file: deep/song.wav, about: A song., format: wav, duration: 1, audio: [{codec: pcm_s16le, rate: 8000}]}
          - {file: half.wav, about: Half of it., copy: deep/song.wav, damage: [{keep: 0.5}]}
          - {file: both.wav, about: Joined., join: [deep/song.wav, half-source.wav]}
          - {file: half-source.wav, about: A part., format: wav, duration: 0.5, audio: [{codec: pcm_s16le, rate: 8000}]}
          - {file: text.mp4, about: A text., text: No film., expect: skip}
        """

    @Test func `the same recipes give the same bytes, on one thread or on three`() throws {
        let recipes = try RecipeReader.parse(Self.few, file: "few.yaml")
        let (one, three) = (try TestFolder(), try TestFolder())
        let result = try MediaMaker(recipes: recipes).makeAll(into: one.path, jobs: 1)
        #expect(result.failures.map(\.description) == [])
        #expect(result.made.count == 6)
        _ = try MediaMaker(recipes: recipes).makeAll(into: three.path, jobs: 3)
        for recipe in recipes {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: one.file(recipe.file)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: three.file(recipe.file))) == bytes)
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: one.file("deep/song.wav"))).count
        #expect(try Data(contentsOf: URL(fileURLWithPath: one.file("half.wav"))).count == whole / 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: one.file("text.mp4"))) == Data("No film.".utf8))
    }

    @Test func `the file has the recipe's content`() throws {
        let folder = try TestFolder()
        let path = try MediaMaker(recipes: RecipeReader.parse(Self.few, file: "few.yaml"))
            .make("film.mp4", into: folder.path)
        let input = try MediaInput(path: path)
        #expect(input.metadata["title"] == "Film")
        // The fourth is MP4's chapter track.
        #expect(input.streams.map(\.codec) == ["h264", "aac", "ac3", "bin_data", "png"])
        #expect(input.streams[0].rotation == 90)
        #expect(input.streams[1].language == "fra")
        #expect(input.streams[4].isAttachedPicture)
        let duration = try #require(input.duration)
        #expect(abs(duration.seconds - 1) < 0.05)
        let truth = try #require(SyntheticTruth.find(forFileAt: path))
        #expect(truth.pieces.first?.film?.times.count == 25)
        #expect(truth.pieces.first?.audioTracks.map(\.count) == [48000, 48000])
        #expect(SyntheticTruth.find(forFileAt: folder.file("other.mp4")) == nil)
    }

    @Test func `only missing or changed files are made`() throws {
        let folder = try TestFolder()
        let recipes = try RecipeReader.parse(Self.few, file: "few.yaml")
        let seen = Mutex<[Int]>([])
        let first = try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2) { progress in
            seen.withLock { $0.append(progress.done) }
        }
        #expect(first.made.count == 6)
        #expect(seen.withLock { $0 } == [1, 2, 3, 4, 5, 6])
        #expect(try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2).upToDate.count == 6)
        try FileManager.default.removeItem(atPath: folder.file("half.wav"))
        #expect(try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2).made == ["half.wav"])
        let changed = Self.few.replacingOccurrences(of: "duration: 0.5", with: "duration: 0.25")
        let again = try MediaMaker(recipes: RecipeReader.parse(changed, file: "few.yaml"))
            .makeAll(into: folder.path, jobs: 2)
        #expect(Set(again.made) == ["both.wav", "half-source.wav"])
    }

    @Test func `a failing recipe reports the reason and does not affect others`() throws {
        let folder = try TestFolder()
        let text = """
            recipes:
              - {file: a.mp4, about: A., format: mp4, duration: 1, audio: [{codec: nonsense}]}
              - {file: b.mp4, about: B., format: nonsense, duration: 1, audio: [{codec: aac}]}
              - {file: c.mp4, about: C., format: mp4, muxer: {nonsense: "1"}, duration: 1, audio: [{codec: aac}]}
              - {file: d.mp4, about: D., format: mp4, duration: 1, audio: [{codec: aac, options: {nonsense: "1"}}]}
              - {file: e.wav, about: E., format: wav, duration: 1, audio: [{codec: aac, rate: 12345}]}
              - {file: f.wav, about: F., format: wav, duration: 1, audio: [{codec: pcm_s16le}]}
            """
        let result = try MediaMaker(recipes: RecipeReader.parse(text, file: "x.yaml"))
            .makeAll(into: folder.path, jobs: 2)
        #expect(result.made == ["f.wav"])
        let failures = result.failures.map(\.description).sorted()
        #expect(failures.count == 5)
        #expect(
            failures[0].contains(
                "a.mp4: finding the codec: libavcodec was built without the encoder nonsense"
            )
        )
        #expect(failures[0].hasSuffix("(recipe: x.yaml:2)"))
        #expect(failures[2].contains("unknown container option: nonsense"))
        #expect(failures[3].contains("unknown encoder option: nonsense"))
        #expect(!failures.contains { $0.contains("\n") })
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(left) == ["f.wav", ".testmedia.json"])
    }

    @Test func `making stops if canceled`() throws {
        let folder = try TestFolder()
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: MediaError.self) {
            try MediaMaker(recipes: RecipeReader.parse(Self.few, file: "few.yaml"))
                .makeAll(into: folder.path, jobs: 2, cancellation: cancellation)
        }
    }
}
