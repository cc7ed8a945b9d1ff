import Foundation
import SegueTestSupport
import Testing

@Suite struct `Earlier verifications of the program` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Runs the suite for a song, with stored verifications in a folder.
    private func regress(_ cache: String, _ arguments: String...) async throws -> (Program.Outcome, json: String) {
        let song = try await AcceptanceMedia.folder.file("song.m4a")
        let json = folder.file("report.json")
        let all = ["120", Program.path, "regress", song, "--verified-cache", cache, "--json", json]
        let outcome = try await Program.run("timeout", all + arguments)
        return (outcome, try String(contentsOfFile: json, encoding: .utf8))
    }

    @Test func `a second run reports reused verifications and the same results`() async throws {
        let cache = folder.file("cache")
        let (first, plain) = try await regress(cache, "--without-times")
        #expect(first.status == 0 && !plain.contains("verified"))
        let (second, json) = try await regress(cache)
        #expect(second.output.contains("The content of 2 cases was verified in an earlier run."), "\(second)")
        #expect(json.contains("\"when\" : \"before\"") && json.contains("\"verifiedBefore\" : 2"))
        let (third, again) = try await regress(cache, "--without-times")
        #expect(again == plain && third.output == first.output)
        let (_, anew) = try await regress(cache, "--verify", "again")
        #expect(anew.contains("\"when\" : \"now\"") && !anew.contains("verifiedBefore"))
        let (_, none) = try await regress("none")
        #expect(none.contains("\"when\" : \"now\""))
    }

    @Test func `a title is fetched each time, and compared once with the same source`() async throws {
        let media = try await AcceptanceMedia.folder
        try await Program.serving(media.path) { served in
            let song = try await served.item("song")
            let titles = """
                titles:
                  - { name: song, url: "\(song)/index.m3u8", source: "\(media.file("song.m4a"))" }
                  - { name: wrong, url: "\(song)/index.m3u8", source: "\(media.file("film.mp4"))" }
                """
            let list = try folder.write(Array(titles.utf8), to: "titles.yaml")
            var said: [String] = []
            for when in ["now", "before"] {
                let json = folder.file("\(when).json")
                let outcome = try await Program.run(
                    "regress",
                    list,
                    "--scenario",
                    "play-through",
                    "--think",
                    "0",
                    "--verified-cache",
                    folder.file("cache"),
                    "--json",
                    json
                )
                let report = try String(contentsOfFile: json, encoding: .utf8)
                #expect(outcome.status == 1 && outcome.output.contains("2 cases: 1 passed, 1 failed"), "\(outcome)")
                #expect(report.components(separatedBy: "\"when\" : \"\(when)\"").count == 3, "\(report)")
                said.append(outcome.output.components(separatedBy: "\n\n")[0])
            }
            #expect(said[0] == said[1] && said[0].contains("content."))
        }
    }

    @Test(arguments: ["file/cache", "newer"])
    func `without a writable store a line says so, and everything is verified`(cache: String) async throws {
        _ = try folder.write([1], to: "file")
        try FileManager.default.createDirectory(atPath: folder.file("newer"), withIntermediateDirectories: true)
        // An empty database of the format 1000 (SQLite's file format, 1.3: the user version is at 60).
        var header = [UInt8](repeating: 0, count: 4096)
        header.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
        header.replaceSubrange(16..<24, with: [0x10, 0, 1, 1, 0, 64, 32, 32])
        header.replaceSubrange(24..<32, with: [0, 0, 0, 1, 0, 0, 0, 1])
        header.replaceSubrange(44..<48, with: [0, 0, 0, 4])
        header.replaceSubrange(56..<64, with: [0, 0, 0, 1, 0, 0, 3, 0xE8])
        header.replaceSubrange(92..<96, with: [0, 0, 0, 1])
        header.replaceSubrange(100..<108, with: [0x0D, 0, 0, 0, 0, 0x10, 0, 0])
        _ = try folder.write(header, to: "newer/verified.sqlite")
        for _ in 0..<2 {
            let (outcome, json) = try await regress(folder.file(cache), "--scenario", "play-through", "--quiet")
            #expect(outcome.status == 0 && json.contains("\"when\" : \"now\""))
            #expect(outcome.errorLines.count == 1 && outcome.errors.contains("cannot use the verification cache"))
        }
    }
}
