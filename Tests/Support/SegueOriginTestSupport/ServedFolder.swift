import Foundation
package import HTTPTypes
package import SegueOrigin
package import SeguePackager
import SegueTestMedia
package import SegueTestSupport

/// A folder with a little of everything, made by the test, and a responder for it.
package struct ServedFolder {
    /// What should be there and is not.
    private struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    private static let recipeText = """
        recipes:
          - file: films/film.mp4
            about: A film.
            format: mp4
            duration: 14
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 44100, language: eng}]
            tags: {title: "A <film> & more"}
          - file: films/old.mkv
            about: A film whose picture is transcoded.
            format: matroska
            duration: 3
            video: {codec: mpeg4, rate: 25, interval: 25}
            audio: [{codec: libvorbis, rate: 44100}]
          - file: films/tongues.mkv
            about: A film in several languages.
            format: matroska
            duration: 13
            video: {codec: libx264, rate: 25, interval: 50, options: {preset: ultrafast}}
            audio:
              - {codec: aac, rate: 48000, language: eng}
              - {codec: flac, rate: 48000, channels: 1, language: ger, title: Der Ton}
              - {codec: ac3, rate: 48000, language: fre}
              - {codec: aac, rate: 48000, language: eng}
          - file: films/silent.mp4
            about: A film without sound.
            format: mp4
            duration: 3
            video: {codec: libx264, rate: 25, interval: 25, options: {preset: ultrafast}}
          - file: song.mp3
            about: A song with a cover.
            format: mp3
            muxer: {id3v2_version: 3}
            duration: 9
            audio: [{codec: libmp3lame, rate: 44100}]
            artwork: {codec: mjpeg, size: 96x64}
            tags: {title: Café song, artist: Band, album: Record}
          - file: plain.wav
            about: Sound alone.
            format: wav
            duration: 2
            audio: [{codec: pcm_s16le, rate: 48000}]
        """

    /// The files, made once for all tests.
    private static let media = Result {
        let folder = try TestFolder()
        let recipes = try RecipeReader.parse(recipeText, file: "recipes")
        let result = try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2)
        if !result.failures.isEmpty { throw Missing(description: "\(result.failures)") }
        return try recipes.map { recipe in
            (recipe.file, Array(try Data(contentsOf: URL(fileURLWithPath: folder.file(recipe.file)))))
        }
    }

    /// The folder.
    package let folder: TestFolder
    /// What answers for it.
    package let responder: Responder

    /// Makes the files; the parameters are the responder's.
    package init(
        devices: Devices = .none,
        page: any PageRendering = TitlesPage(),
        mediaServer: MediaServer? = nil,
        observer: (@Sendable (OriginExchange) -> Void)? = nil
    ) throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("films"), withIntermediateDirectories: false)
        for (name, bytes) in try Self.media.get() { _ = try folder.write(bytes, to: name) }
        _ = try folder.write(Array("this is no film".utf8), to: "films/words.mp4")
        _ = try folder.write([], to: "empty.mkv")
        responder = Responder(library: try Library(roots: [folder.path])) {
            ($0.devices, $0.page) = (devices, page)
            ($0.mediaServer, $0.observer) = (mediaServer, observer)
        }
    }

    /// The item with a path.
    package func item(_ path: String) throws -> LibraryItem {
        guard let item = responder.library.items.first(where: { $0.path == path }) else {
            throw Missing(description: "there is no item at \(path)")
        }
        return item
    }

    /// The URL of something of an item.
    package func url(_ path: String, _ rest: String) throws -> String { "/items/\(try item(path).id)/\(rest)" }

    /// Asks for something.
    package func get(
        _ target: String,
        _ headers: HTTPFields = [:],
        method: String = "GET"
    ) -> OriginResponse {
        responder.respond(to: OriginRequest(method: method, target: target, headers: headers))
    }

    /// Asks for JSON.
    package func json(_ target: String) throws -> [String: Any] {
        let answer = get(target)
        guard answer.status == 200, answer.headers[.contentType] == "application/json; charset=utf-8",
            let object = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
        else { throw Missing(description: "\(target) is answered with no JSON: \(answer)") }
        return object
    }

    /// The URIs in a playlist, below the playlist's own folder.
    package func uris(_ playlist: OriginResponse, of path: String) throws -> [String] {
        let lines = playlist.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map { try url(path, String($0)) }
    }
}

/// A page of titles and nothing else.
package struct TitlesPage: PageRendering {
    /// A page.
    package init() {}

    /// The titles, one to a line.
    package func page(of listing: ItemListing, for visit: PageVisit) -> RenderedPage {
        let titles = listing.items.map { "<p>\($0.title)</p>\n" }
        return RenderedPage(html: titles.joined(), securityPolicy: "default-src 'none'")
    }

    /// No file.
    package func file(_ name: String, version: String) -> PageFile? { nil }
}

extension OriginResponse {
    /// The bytes of the body, a file's included.
    package var bytes: [UInt8] { Self.bytes(of: body) }

    private static func bytes(of body: Body) -> [UInt8] {
        switch body {
        case .empty: []
        case .bytes(let bytes): bytes
        case .found(let found, let range): found.kept.read(range) ?? []
        case .file(let path, let offset, let length):
            FileManager.default.contents(atPath: path).map { Array($0.dropFirst(Int(offset)).prefix(Int(length))) }
                ?? []
        case .made(let body, let range): (try? body.bytes(in: range)) ?? []
        case .endless: []
        case .pieces(let pieces): pieces.flatMap(bytes(of:))
        }
    }

    /// The body as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The code in an error's body.
    package var code: String? {
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: String]]
        return object?["error"]?["code"]
    }

    /// The message in an error's body.
    package var message: String? {
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: String]]
        return object?["error"]?["message"]
    }
}
