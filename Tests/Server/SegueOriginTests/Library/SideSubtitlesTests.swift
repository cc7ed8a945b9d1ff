import HTTPTypes
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Subtitle files next to a film` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    private static let words = """
        1
        00:00:01,000 --> 00:00:07,500
        Grüße & more

        2
        00:00:08,000 --> 00:00:09,000
        Later

        """

    private func renditions(_ path: String) throws -> [MediaRendition] {
        let answer = served.get(try served.url(path, "master.m3u8"))
        guard case .multivariant(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        return playlist.renditions.filter { $0.kind == .subtitles }
    }

    private func media(_ path: String, _ uri: String) throws -> MediaPlaylist {
        let answer = served.get(try served.url(path, uri))
        #expect(answer.status == 200, "\(answer.text)")
        guard case .media(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        return playlist
    }

    @Test func `are renditions, named after the files`() throws {
        let path = "films/film.mp4"
        #expect(try renditions(path).isEmpty)
        _ = try served.folder.write(Array(Self.words.utf8), to: "films/film.srt")
        _ = try served.folder.write(
            Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n".utf8),
            to: "films/film.de.forced.vtt"
        )
        _ = try served.folder.write(Array(Self.words.utf8), to: "films/film.en.sdh.srt")
        _ = try served.folder.write(Array(Self.words.utf8), to: "films/film2.en.srt")
        _ = try served.folder.write(Array(Self.words.utf8), to: "films/film.en.txt")
        let found = try renditions(path)
        #expect(found.map(\.language) == ["de", "en", "und"])
        #expect(found.map(\.isForced) == [true, false, false])
        #expect(found[1].characteristics.contains("public.accessibility.transcribes-spoken-dialog"))
        #expect(Set(found.map(\.name)).count == 3)
        let film = try media(path, "index.m3u8")
        for rendition in found {
            let playlist = try media(path, try #require(rendition.uri))
            #expect(playlist.segments.map(\.duration) == film.segments.map(\.duration))
        }
    }

    @Test(arguments: ["utf-8", "windows-1252", "utf-16"])
    func `are converted to WebVTT from any encoding`(coding: String) throws {
        let path = "films/film.mp4"
        let bytes: [UInt8] =
            switch coding {
            case "windows-1252": Self.words.unicodeScalars.map { UInt8($0.value) }
            case "utf-16": [0xFF, 0xFE] + Self.words.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            default: Array(Self.words.utf8)
            }
        _ = try served.folder.write(bytes, to: "films/film.en.srt")
        let uri = try #require(try renditions(path).first?.uri)
        let segments = try media(path, uri).segments
        let first = served.get(try served.url(path, segments[0].uri))
        #expect(first.status == 200 && first.headers[.contentType] == "text/vtt; charset=utf-8")
        #expect(first.text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP="))
        #expect(first.text.contains("00:00:01.000 --> 00:00:07.500"))
        #expect(first.text.contains("Grüße &amp; more"))
        let second = served.get(try served.url(path, segments[1].uri))
        #expect(second.text.contains("Later"))
        // Another version of the file has other addresses.
        _ = try served.folder.write(Array("WEBVTT\n".utf8), to: "films/film.en.srt")
        #expect(served.get(try served.url(path, segments[0].uri)).status == 404)
        #expect(served.get(try served.url(path, uri)).status == 404)
    }

    @Test(
        arguments: [
            (["en"], "en", nil, false), (["Director", "pt-BR", "Cut"], "pt-BR", "Director Cut", false),
            (["forced", "ger"], "ger", nil, true), ([], nil, nil, false),
        ] as [([String], String?, String?, Bool)]
    )
    func `have traits in their names`(words: [String], language: String?, title: String?, isForced: Bool) {
        let traits = SideSubtitles.traits(ofWords: words)
        #expect(traits.language == language)
        #expect(traits.title == title)
        #expect(traits.isForced == isForced)
    }

    @Test func `cannot be reached outside of the folder`() throws {
        let film = try media("films/film.mp4", "index.m3u8").segments[0].uri
        let tag = try #require(film.split(separator: "/").first)
        for side in ["..", "%2e%2e%2fsong", "0123456789abcdef"] {
            let uri = "\(tag)/side-\(side).ts/0.vtt"
            #expect([400, 404].contains(served.get(try served.url("films/film.mp4", uri)).status))
            #expect(served.get(try served.url("films/film.mp4", "index.m3u8?side=\(side)")).status == 404)
        }
    }
}
