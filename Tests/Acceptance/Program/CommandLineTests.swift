import Foundation
import SegueTestSupport
import Testing

@Suite struct `Command line` {
    @Test(arguments: [
        (["play", "--", "--network", "2", "0", "segue", "play", "--network", ""], ["3g", "android-gprs", "wifi"]),
        (["play", "--", "--scenario", "2", "0", "segue", "play", "--scenario", ""], ["play-through"]),
        (["regress", "--", "--platform", "2", "0", "segue", "regress", "--platform", ""], ["ios-4.3", "desktop"]),
        (["regress", "--", "--app", "2", "0", "segue", "regress", "--app", ""], ["switch-when-ready"]),
        (["probe", "--", "--device", "2", "0", "segue", "probe", "--device", ""], ["iphone-3g", "vlc"]),
        (["validate", "--", "--waive", "2", "0", "segue", "validate", "--waive", ""], ["ts-tables"]),
    ])
    func `shell completion lists the names`(arguments: [String], names: [String]) async throws {
        let outcome = try await Program.run("timeout", ["60", Program.path, "---completion"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let offered = Set(outcome.output.split(separator: "\n").map(String.init))
        #expect(offered.isSuperset(of: names), "\(outcome.output)")
    }

    @Test func `defaults in the help have the form of arguments`() async throws {
        let outcome = try await Program.run("help", "agree")
        #expect(outcome.output.contains("(default: wifi,3g,4g)"))
        #expect(!outcome.output.contains("NameList"))
    }

    @Test func `a segment is not a playlist`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let segment = folder.file("media0.ts")
        let made = try await Program.run("ffmpeg", ["-v", "error", "-i", film, "-t", "2", "-c", "copy", segment])
        #expect(made.status == 0, "\(made.errors)")
        for (path, words) in [(segment, "is a segment (MPEG-TS), not a playlist"), (film, "is a media file (MP4)")] {
            let outcome = try await Program.run("validate", path)
            #expect(outcome.status == 2 && outcome.output.isEmpty)
            #expect(outcome.errorLines.count == 1 && outcome.errors.contains("\(path): \(words)"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [false, true])
    func `I-frames of a transport stream may follow their tables`(hasMap: Bool) async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        let options = ["-v", "error", "-i", film, "-an", "-t", "12", "-c", "copy", "-pat_period", "1000"]
        let made = try await Program.run("ffmpeg", options + [folder.file("i.ts")])
        #expect(made.status == 0, "\(made.errors)")
        let packets = try await Program.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=pos,flags", "-of", "csv=p=0", folder.file("i.ts")]
        )
        let places = try packets.output.split(separator: "\n").map { line in
            let parts = line.split(separator: ",")
            return (at: try #require(Int(parts[0])), isKey: parts[1].hasPrefix("K"))
        }
        let first = try #require(places.first)
        #expect(first.isKey && first.at > 0)
        let map = "#EXT-X-MAP:URI=\"i.ts\",BYTERANGE=\"\(first.at)@0\"\n"
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        text += "#EXT-X-I-FRAMES-ONLY\n" + (hasMap ? map : "")
        for (place, next) in zip(places, places.dropFirst()) where place.isKey {
            text += "#EXTINF:2,\n#EXT-X-BYTERANGE:\(next.at - place.at)@\(place.at)\ni.ts\n"
        }
        let playlist = try folder.write(Array((text + "#EXT-X-ENDLIST\n").utf8), to: "i.m3u8")
        let outcome = try await Program.run("validate", playlist)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("6 segments"), "\(outcome.output)")
    }

    @Test func `a file is played without a server, in virtual time the same each time`() async throws {
        let folder = try TestFolder()
        let film = try await AcceptanceMedia.folder.file("film.mp4")
        for log in ["1", "2"] {
            let outcome = try await Program.run(
                "play",
                film,
                "--virtual",
                "--network",
                "3g",
                "--quiet",
                "--log",
                folder.file(log)
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let logs = try ["1", "2"].map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }
        #expect(logs[0] == logs[1])
        #expect(logs[0].contains("item.playedToEnd"))
    }

    @Test func `a file is played without a server in real time`() async throws {
        let song = try await AcceptanceMedia.folder.file("song.m4a")
        let outcome = try await Program.run("play", song)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("item.playedToEnd"), "\(outcome.output)")
        #expect(outcome.output.contains("heard 6"), "\(outcome.output)")
    }
}
