import Foundation
import SegueOriginTestSupport
import SeguePackager
import Testing

@testable import SegueOrigin

@Suite struct `A visitor who may see some folders` {
    private let served: ServedFolder
    private let films = Visitor(identity: "key-2", folders: ["films"])

    init() throws { served = try ServedFolder() }

    private func get(_ target: String, _ visitor: Visitor, mount: String = "") -> OriginResponse {
        var request = OriginRequest(target: target)
        (request.visitor, request.mount) = (visitor, mount)
        return served.responder.respond(to: request)
    }

    private func json(_ answer: OriginResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
    }

    @Test(arguments: [
        ("films", "films", true), ("films", "films/new", true), ("films", "filmstrips", false), ("films", "", false),
        ("films/new", "films", false), ("", "films", true), ("caf\u{E9}", "cafe\u{301}", false),
        ("Films", "films", false),
    ])
    func `sees folders and subfolders`(own: String, folder: String, isSeen: Bool) {
        #expect(Visitor(folders: [own]).sees(path: folder) == isSeen)
        #expect(Visitor(folders: []).sees(path: folder) == false && Visitor().sees(path: folder))
    }

    @Test func `has lists and counts of those folders only`() throws {
        let all = try json(get("/api/items", Visitor()))
        let some = try json(get("/api/items", films))
        let paths = (some["items"] as? [[String: Any]])?.compactMap { $0["path"] as? String } ?? []
        #expect(paths.count == 5 && paths.allSatisfy { $0.hasPrefix("films/") })
        #expect(some["total"] as? Int == 5 && all["total"] as? Int == 8)
        #expect(try json(get("/api/items?folder=", Visitor(folders: ["none"])))["total"] as? Int == 0)
        #expect(get("/", films).text.contains("film") && !get("/", films).text.contains("Café"))
        #expect(get("/metrics", films).status == 404 && get("/metrics", Visitor()).status == 200)
        #expect(get("/radio?folder=none", films).text == get("/radio?folder=none", Visitor()).text)
        #expect(get("/radio", Visitor(folders: ["none"])).status == 422)
    }

    @Test(arguments: RouteName.allCases.filter { $0.isOfItem && $0.method == "GET" })
    func `cannot distinguish hidden from missing items`(kind: RouteName) throws {
        let item = try served.item("song.mp3")
        let tag = try FileIdentity(ofFileAt: item.filePath).tag
        let foreign = get(kind.example(id: item.id, tag: tag), films)
        let unknown = get(kind.example(id: "00000000zzzz", tag: tag), films)
        #expect(foreign.status == 404)
        #expect(foreign.text.replacing(item.id, with: "") == unknown.text.replacing("00000000zzzz", with: ""))
        #expect(foreign.headers.map { "\($0)" } == unknown.headers.map { "\($0)" })
    }

    @Test func `has links below the path with the key`() throws {
        let answer = try json(get("/api/items/\(try served.item("films/film.mp4").id)", films, mount: "/k/abc"))
        let links = try #require(answer["links"] as? [String: Any])
        #expect((links["play"] as? String)?.hasPrefix("/k/abc/items/") == true)
        let list = get("/api/items", films, mount: "/k/abc").text
        #expect(!list.contains("\"/items/") && list.contains("\"/k/abc/items/"))
    }
}
