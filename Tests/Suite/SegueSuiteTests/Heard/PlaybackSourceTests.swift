import Foundation
import SegueSuite
import SegueTestSupport
import Testing

@Suite struct `Arguments of play` {
    @Test func `URLs are URLs and files are files`() throws {
        let folder = try TestFolder()
        let path = try folder.write([1, 2, 3], to: "a film.mp4")
        #expect(try PlaybackSource("https://host/a.m3u8") == .url("https://host/a.m3u8"))
        #expect(try PlaybackSource(path) == .file(path))
        #expect(try PlaybackSource("file://" + path.replacing(" ", with: "%20")) == .file(path))
        #expect(try PlaybackSource("file://localhost" + path) == .file(path))
    }

    @Test func `an error for content that cannot be played has a remedy`() throws {
        let folder = try TestFolder()
        let playlist = try folder.write(Array("\u{FEFF}#EXTM3U\n".utf8), to: "list.m3u")
        for (text, words) in [
            ("ftp://host/a.mp4", "not an http or https URL and not a file"),
            (folder.file("none.mp4"), "no such file; a URL begins with http:// or https://"),
            (folder.path, "is a folder"), (playlist, "play http://127.0.0.1:8000/list.m3u"),
        ] {
            let error = try #require(throws: PlaybackSourceError.self) { try PlaybackSource(text) }
            #expect(error.description.hasPrefix(text + ": ") && error.description.contains(words), "\(error)")
        }
    }

    @Test func `a file without media is refused with the server's reason`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("just words".utf8), to: "words.mp4")
        let error = try #require(throws: PlaybackSourceError.self) { try PlayedFile(path: path, number: 1) }
        #expect(error.description.hasPrefix(path + ": "), "\(error)")
        #expect(!error.description.contains("{"), "\(error)")
    }

    @Test(arguments: [
        ("a.wav", true), ("a.WAV", true), ("b/a.wave", true), ("heard", true), ("/dev/stdout", true), (".wav", true),
        ("out.mp3", false), ("a.wav.flac", false), ("a.", false),
    ])
    func `audio is written only as WAV`(path: String, isRight: Bool) {
        #expect(HeardAudio.isFileName(path) == isRight)
    }
}
