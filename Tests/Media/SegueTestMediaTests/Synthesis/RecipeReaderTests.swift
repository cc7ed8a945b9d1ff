import Foundation
import SegueBase
import SegueData
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@Suite struct `Recipe reader` {
    private static let film = """
        recipes:
          - file: mp4/film.mp4
            about: A film.
            duration: 12.5
            format: mp4
            muxer: {movflags: +faststart}
            start: -0.5
            video: {codec: libx264, size: 192x128, rate: 30000/1001, interval: 30, bframes: 2, steps: [1, 2], mark: 3}
            audio:
              - {codec: aac, rate: 44100, channels: 2, bitrate: 96000, language: eng, start: 0.25}
            tags: {title: "A title: with a colon", artist: Somebody}
            chapters: [{title: One}, {start: 5, title: Two}]
            damage: [{keep: 0.75}]
        """

    @Test func `a recipe is read with exact times`() throws {
        let recipes = try RecipeReader.parse(Self.film, file: "a.yaml")
        let recipe = try #require(recipes.first)
        #expect(recipe.origin.file == "a.yaml" && recipe.origin.line == 2)
        #expect(recipe.expect == .full)
        #expect(recipe.damage == [.keep(Rational(3, 4))])
        guard case .encoding(let encoding) = recipe.source else { throw Unexpected() }
        #expect(encoding.duration == Rational(25, 2))
        #expect(encoding.start == Rational(-1, 2))
        #expect(encoding.tags.map(\.name) == ["title", "artist"])
        #expect(encoding.tags.first?.value == "A title: with a colon")
        #expect(encoding.chapters.map(\.start) == [.zero, Rational(5)])
        let video = try #require(encoding.video)
        #expect(video.film.rate == Rational(30000, 1001))
        #expect(video.mark == 3)
        #expect(
            video.times(contentEnd: Rational(1, 5)).frames.map { $0 * video.film.rate }.map(\.numerator) == [
                0, 1, 3, 4,
            ]
        )
        #expect(encoding.audio.first?.samples(contentEnd: encoding.duration) == 11025..<551_250)
    }

    private struct Unexpected: Error {}

    @Test(arguments: [
        (
            "film.mp4", "../film.mp4",
            "b.yaml:2: recipes[0].file: is mp4/../film.mp4; use a relative path inside the folder"
        ),
        (
            "codec: libx264", "kodec: libx264",
            "b.yaml:8: recipes[0].video.codec: is missing"
        ),
        ("192x128", "193x128", "b.yaml:8: recipes[0].video.size: is 193x128"),
        ("mark: 3", "mark: 16", "b.yaml:8: recipes[0].video.mark: is 16, must be"),
        ("interval: 30", "gop: 30", "b.yaml:8: recipes[0].video.gop: is not a key here"),
        (
            "bframes: 2", "bframe: 2",
            "b.yaml:8: recipes[0].video.bframe: is not a key here: bframe is unknown; did you mean bframes?"
        ),
        ("rate: 44100", "rate: fast", "b.yaml:10: recipes[0].audio[0].rate: is fast, must be a whole number"),
        ("12.5", "0", "b.yaml:4: recipes[0].duration: must be above 0"),
        (
            "start: 5,", "start: 0,",
            "b.yaml:12: recipes[0].chapters[1].start: must be after the start of the preceding chapter"
        ),
        (
            "damage: [{keep: 0.75}]", "expect: maybe",
            "b.yaml:13: recipes[0].expect: maybe is unknown; expected one of background, full, skip, unserved"
        ),
        (
            "damage: [{keep: 0.75}]", "expect: ful",
            "b.yaml:13: recipes[0].expect: ful is unknown; did you mean full?"
        ),
        ("about: A film.", "about: A film.\n    about: Twice.", "b.yaml"),
        ("    about: A film.", "", "b.yaml:2: recipes[0].about: is missing"),
        ("12.5", "long", "b.yaml:4: recipes[0].duration: is long, must be a number such as 12, 0.5 or 30000/1001"),
        ("- file", "- [file", "b.yaml:"),
    ])
    func `an error names file, line and key`(old: String, new: String, message: String) {
        let text = Self.film.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.range(of: old).map { line.replacingCharacters(in: $0, with: new) } ?? String(line) }
            .joined(separator: "\n")
        let error = #expect(throws: HarnessError.self) { try RecipeReader.parse(text, file: "b.yaml") }
        let description = error?.description ?? ""
        #expect(description.contains(message))
        #expect(!description.contains("\n"))
    }

    @Test func `duplicate files and unknown components are rejected`() throws {
        let folder = try TestFolder()
        let recipe = "  - {file: a.ts, about: It., empty: true}\n"
        _ = try folder.write(Array(("recipes:\n" + recipe + recipe).utf8), to: "x.yaml")
        let twice = #expect(throws: HarnessError.self) { try RecipeReader.recipes(inFolder: folder.path) }
        #expect(twice?.description.contains("x.yaml:3: file: a.ts is already made by") == true)
        let joined = "  - {file: b.ts, about: It., join: [a.ts, c.ts]}\n"
        _ = try folder.write(Array(("recipes:\n" + recipe + joined).utf8), to: "x.yaml")
        let unknown = #expect(throws: HarnessError.self) { try RecipeReader.recipes(inFolder: folder.path) }
        #expect(unknown?.description.contains("x.yaml:3: join: no recipe makes c.ts") == true)
        let none = #expect(throws: HarnessError.self) { try RecipeReader.recipes(inFolder: folder.path + "/none") }
        #expect(none?.message == "cannot be read")
    }

    @Test func `a binary recipe file is rejected with its name`() throws {
        let folder = try TestFolder()
        _ = try folder.write([0xFF, 0xFE, 0x00], to: "x.yaml")
        let error = #expect(throws: HarnessError.self) { try RecipeReader.recipes(inFolder: folder.path) }
        #expect(error == HarnessError(file: folder.path + "/x.yaml", message: "is not UTF-8 text"))
    }

    // The seed of every test file's audio; the values are known FNV-1a hashes.
    @Test(arguments: [("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)])
    func `the seed is the hash of the file's path`(file: String, seed: UInt64) throws {
        let text = "recipes: [{file: \(file), about: It., empty: true}]"
        #expect(try RecipeReader.parse(text, file: "a.yaml").map(\.seed) == [seed])
    }
}
