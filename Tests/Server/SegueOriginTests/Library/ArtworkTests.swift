import Foundation
import HTTPTypes
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Images of items` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    /// The size of a picture, in pixels.
    private static func size(_ bytes: [UInt8]) throws -> [Int] {
        let stream = try #require(try MediaInput(bytes: bytes, name: "picture").streams.first)
        return [stream.width, stream.height]
    }

    @Test(arguments: [(1, 160), (160, 160), (161, 320), (640, 640), (641, 1280), (9999, 1280)])
    func `have a few widths`(wished: Int, width: Int) {
        #expect(Artwork.width(for: wished) == width && Artwork.width(for: nil) == nil)
    }

    @Test func `of films are frames in the requested width, made once`() throws {
        let target = try served.url("films/film.mp4", "artwork.jpg")
        let whole = served.get(target)
        #expect(whole.status == 200 && whole.headers[.contentType] == "image/jpeg")
        let size = try Self.size(whole.bytes)
        let small = served.get(target + "?width=100")
        #expect(try Self.size(small.bytes) == [160, (160 * size[1] + size[0] / 2) / size[0]])
        let made = served.responder.services.maker.store.counts.made
        #expect(served.get(target + "?width=160").bytes == small.bytes)
        #expect(served.responder.services.maker.store.counts.made == made)
    }

    @Test func `are not enlarged`() throws {
        let target = try served.url("song.mp3", "artwork.jpg")
        #expect(served.get(target + "?width=160").bytes == served.get(target).bytes)
        #expect(try Self.size(served.get(target).bytes) == [96, 64])
    }

    @Test(arguments: ["cover.jpg", "film.jpg", "poster.png"])
    func `may be next to films`(name: String) throws {
        let own = served.get(try served.url("song.mp3", "artwork.jpg")).bytes
        _ = try served.folder.write(own, to: "films/\(name)")
        #expect(served.get(try served.url("films/film.mp4", "artwork.jpg")).bytes == own)
    }

    @Test func `may be next to music, and show in lists`() throws {
        let own = served.get(try served.url("song.mp3", "artwork.jpg")).bytes
        _ = try served.folder.write(own, to: "folder.jpg")
        let item = try served.json("/api/items/\(try served.item("plain.wav").id)")
        let link = try #require((item["links"] as? [String: Any])?["artwork"] as? String)
        #expect(served.get(link + "?width=320").bytes == own)
    }

    @Test func `must be valid if they are next to films`() throws {
        _ = try served.folder.write(Array("no picture".utf8), to: "films/cover.jpg")
        #expect(served.get(try served.url("films/film.mp4", "artwork.jpg")).status == 404)
    }

    @Test func `chapters have bounded times and titles`() {
        let chapters = [
            MediaChapter(start: 5_000_000, end: 9_000_000, title: " Two\n"),
            MediaChapter(start: 0, end: 0, title: nil),
            MediaChapter(start: 20_000_000, end: 30_000_000, title: "Behind the end"),
            MediaChapter(start: 9_000_000, end: 99_000_000, title: String(repeating: "x", count: 1000)),
        ]
        let shown = ChapterDocument.all(chapters, duration: 12)
        #expect(shown.map(\.start) == [0, 5, 9] && shown.map(\.end) == [5, 9, 12])
        #expect(shown[1].title == "Two" && shown[0].title == nil && shown[2].title?.count == 125)
    }
}
