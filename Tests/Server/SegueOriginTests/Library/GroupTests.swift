import Foundation
import SegueBase
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Groups` {
    /// An entry of a path and its tags, without a file.
    static func entry(_ path: String, _ tags: [String: String] = [:], seconds: Int64 = 60) -> ShelfEntry {
        let slash = path.lastIndex(of: "/")
        let fileName = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let dot = fileName.lastIndex(of: ".") ?? fileName.endIndex
        let item = LibraryItem(
            id: path,
            path: path,
            filePath: "/" + path,
            name: String(fileName[..<dot]),
            folder: slash.map { String(path[..<$0]) } ?? "",
            fileExtension: String(fileName[dot...].dropFirst()),
            relativePath: Array(path.utf8),
            root: 0
        )
        var facts = ItemFacts(container: "test", duration: Rational(seconds), tags: tags, streams: [])
        if path.hasSuffix("mkv") { facts.kind = .movie }
        facts.added = 1
        return ShelfEntry(item, .known(facts), version: 1)
    }

    private static let entries = [
        entry("Films/The Wall (1982).mkv"), entry("Films/About (2001).mkv"),
        entry("Series/Show/Season 10/Show S10E01.mkv"), entry("Series/Show/Season 2/Show S02E10.mkv"),
        entry("Series/Show/Season 2/show s02e09.mkv"), entry("Series/Show/Specials/Show S00E01.mkv"),
        entry(
            "Music/A/1.mp3",
            ["artist": "Beyoncé", "album": "One", "track": "2/2", "genre": "Pop; Soul", "date": "2003-01"]
        ),
        entry("Music/A/2.mp3", ["artist": "BEYONCE", "album": "one", "track": "1", "genre": "pop"]),
        entry(
            "Music/B/CD1/1.mp3",
            ["artist": "X", "album_artist": "Various", "album": "Mix", "disc": "1", "track": "1"]
        ),
        entry(
            "Music/B/CD2/1.mp3",
            ["artist": "Y & Z+", "album_artist": "Various", "album": "Mix", "disc": "2", "track": "1"]
        ),
        entry("Music/The Band/Untagged/CD 2/1.mp3"), entry("Music/The Band/Untagged/CD 1/1.mp3"),
    ]

    private func groups(_ by: GroupKind, _ query: String = "") throws -> [GroupDocument] {
        let filter = try ItemFilter(Query(query[...]))
        return Grouping(by: by, filter).groups(of: Self.entries.filter(filter.scope.matches)).map {
            $0.document(filter)
        }
    }

    @Test(arguments: [
        (GroupKind.folder, "", ["Films 2", "Music 6", "Series 4"]),
        (.folder, "folder=Music", ["A 2", "B 2", "The Band 2"]),
        (.series, "", ["Show 4"]), (.season, "series=show", ["2 2", "10 1", "0 1"]),
        (.artist, "", ["The Band 2", "Beyoncé 2", "Various 2"]), (.artist, "q=one", ["Beyoncé 2"]),
        (.album, "", ["Mix 2", "One 2", "Untagged 2"]), (.album, "artist=x", ["Mix 2"]),
        (.album, "artist=The+Band", ["Untagged 2"]), (.genre, "", ["Pop 2", "Soul 1"]), (.artist, "kind=movie", []),
        (.album, "folder=Music/B", ["Mix 2"]),
    ])
    func `collect items with a common value`(by: GroupKind, query: String, expected: [String]) throws {
        #expect(try groups(by, query).map { "\($0.name) \($0.count)" } == expected)
    }

    @Test(arguments: GroupKind.allCases)
    func `have a query that matches their count`(by: GroupKind) throws {
        for group in try groups(by) {
            let filter = try ItemFilter(Query(group.query[...]))
            #expect(Self.entries.count(where: filter.matches) == group.count, "\(group.query)")
        }
    }

    @Test func `have a parent`() throws {
        #expect(try groups(.album).map(\.subtitle) == ["Various", "Beyoncé", "The Band"])
        #expect(try groups(.season).map(\.subtitle) == ["Show", "Show", "Show"])
        #expect(try groups(.album).map(\.year) == [nil, 2003, nil])
        #expect(try groups(.album)[0].duration == 120)
    }

    @Test(arguments: [
        ("album=mix", ["Music/B/CD1/1.mp3", "Music/B/CD2/1.mp3"]),
        ("artist=beyonce", ["Music/A/2.mp3", "Music/A/1.mp3"]),
        ("artist=Y+%26+Z%2B", ["Music/B/CD2/1.mp3"]),
        (
            "series=Show",
            [
                "Series/Show/Season 2/show s02e09.mkv", "Series/Show/Season 2/Show S02E10.mkv",
                "Series/Show/Season 10/Show S10E01.mkv", "Series/Show/Specials/Show S00E01.mkv",
            ]
        ), ("folder=Films&sort=title", ["Films/About (2001).mkv", "Films/The Wall (1982).mkv"]),
        ("folder=Films&sort=-title", ["Films/The Wall (1982).mkv", "Films/About (2001).mkv"]),
        ("folder=Films&sort=year", ["Films/The Wall (1982).mkv", "Films/About (2001).mkv"]),
        ("folder=Music/A&sort=-year", ["Music/A/1.mp3", "Music/A/2.mp3"]),
        ("folder=Music/A&sort=year", ["Music/A/1.mp3", "Music/A/2.mp3"]),
    ])
    func `are listed in natural order`(query: String, expected: [String]) throws {
        let query = try ItemListQuery(Query(query[...]), limit: 10, wait: 0)
        let found = query.order.sorted(Self.entries.filter(query.filter.matches))
        #expect(found.map(\.item.path) == expected)
    }

    @Test func `are JSON, limited to the visitor's folders`() throws {
        let served = try ServedFolder()
        _ = served.get("/api/items")
        let albums = try #require(try served.json("/api/groups?by=album")["groups"] as? [[String: Any]])
        #expect(albums.count == 1 && albums[0]["name"] as? String == "Record")
        #expect(albums[0]["artwork"] as? String == "items/\(try served.item("song.mp3").id)/artwork.jpg")
        let folders = try served.json("/api/groups?by=folder")
        #expect(folders["total"] as? Int == 1)
        var request = OriginRequest(target: "/api/groups?by=album")
        request.visitor = Visitor(identity: "guest", folders: ["films"])
        #expect(served.responder.respond(to: request).text.contains(#""total":0"#))
        request.target = "/api/items?wait=0"
        #expect(served.responder.respond(to: request).text.contains(#""total":5"#))
        request.target = try served.url("song.mp3", "original")
        #expect(served.responder.respond(to: request).status == 404)
    }

    @Test(arguments: ["/api/groups", "/api/groups?by=mood", "/api/groups?by=album&limit=0", "/api/items?sort=size"])
    func `name the parameter of a bad query`(target: String) throws {
        let answer = try ServedFolder().get(target)
        #expect(answer.status == 400 && answer.code == "badQuery")
    }

    @Test func `contain items with their traits`() throws {
        let served = try ServedFolder()
        let items = try #require(try served.json("/api/items?kind=music")["items"] as? [[String: Any]])
        #expect(items.compactMap { $0["path"] as? String } == ["plain.wav", "song.mp3"])
        #expect(items[1]["artist"] as? String == "Band" && items[1]["album"] as? String == "Record")
        let added = try #require(items[1]["added"] as? String)
        let written = try FileManager.default.attributesOfItem(atPath: served.folder.file("song.mp3"))[
            .modificationDate
        ]
        let milliseconds = try #require(TimeText.milliseconds(added))
        #expect(abs(Double(milliseconds) / 1000 - (try #require(written as? Date)).timeIntervalSince1970) < 0.002)
        let film = try served.json("/api/items/\(try served.item("films/film.mp4").id)")
        #expect(film["width"] is Int && film["height"] is Int)
    }
}
