import HTTPTypes
import SegueOriginTestSupport
import SegueUPnP
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct MediaServerTests {
    private final class Notices: Sendable {
        let all = Mutex<[Subscriptions.Notice]>([])
    }

    private let notices = Notices()
    private let served: ServedFolder

    init() throws {
        let description = DeviceDescription(name: "Attic <1>", uuid: "abc", version: "1.2")
        let server = MediaServer(
            description,
            notify: { [notices] notice in notices.all.withLock { $0.append(notice) } }
        )
        served = try ServedFolder(mediaServer: server)
        // All files are scanned first.
        _ = served.get("/api/items?wait=30")
    }

    private func ask(
        _ method: String,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String = "",
        mount: String = "",
        folders: [String]? = nil
    ) -> OriginResponse {
        var request = OriginRequest(method: method, target: path, headers: [.hostField: "192.0.2.5:80"] + headers)
        (request.body, request.mount, request.address) = (Array(body.utf8), mount, "192.0.2.9")
        request.visitor = Visitor(folders: folders)
        return served.responder.respond(to: request)
    }

    /// The entries of a container.
    private func list(_ id: String, mount: String = "", folders: [String]? = nil) throws -> [XMLNode] {
        let type = ContentDirectory.type
        let answer = ask(
            "POST",
            "/dlna/ContentDirectory/control",
            [.soapAction: "\"\(type)#Browse\""],
            body: """
                <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><u:Browse xmlns:u="\(type)">\
                <ObjectID>\(id)</ObjectID><BrowseFlag>BrowseDirectChildren</BrowseFlag><Filter>*</Filter>\
                <StartingIndex>0</StartingIndex><RequestedCount>0</RequestedCount><SortCriteria></SortCriteria>\
                </u:Browse></e:Body></e:Envelope>
                """,
            mount: mount,
            folders: folders
        )
        try #require(answer.status == 200)
        let result = try #require(try XMLReader.read(answer.bytes).descendant("Result"))
        return try XMLReader.read(Array(result.text.utf8)).children
    }

    private func titles(_ nodes: [XMLNode]) -> [String] { nodes.map { $0.child("title")?.text ?? "" } }

    @Test func `folders, music, and films are listed, without unplayable files`() throws {
        #expect(titles(try list("0")) == ["Folders", "Music", "Films"])
        let folders = try list("folders")
        #expect(titles(folders) == ["films", "plain", "Café song"])
        #expect(titles(try list("films")) == ["A <film> & more", "old", "silent", "tongues"])
        #expect(titles(try list("music")) == ["Artists", "Albums", "All songs"])
        #expect(titles(try list("artists")) == ["Band"])
        #expect(titles(try list("albums")) == ["Record"])
        #expect(titles(try list("songs")) == ["Café song", "plain"])
    }

    @Test func `all resources of an item exist, below the requested path`() throws {
        let song = try #require(try list("songs", mount: "/k/KEY").first)
        #expect(song.child("albumArtURI")?.text.hasPrefix("http://192.0.2.5:80/k/KEY/items/") == true)
        let film = try #require(try list("films", mount: "/k/KEY").first)
        let addresses = film.children.filter { $0.name == "res" }.map(\.text)
        #expect(addresses.count == 3)
        for address in addresses {
            let path = try #require(address.split(separator: "/k/KEY").last.map(String.init))
            #expect(address == "http://192.0.2.5:80/k/KEY" + path)
            #expect(served.get(path).status == 200)
        }
    }

    @Test func `a visitor sees only their folders`() throws {
        #expect(titles(try list("0", folders: ["films"])) == ["Folders", "Films"])
        #expect(titles(try list("folders", folders: ["films"])) == ["films"])
        #expect(titles(try list("folders", folders: [])) == [])
        #expect(titles(try list("folders")).count == 3)
    }

    @Test func `a description contains the server's name and services`() throws {
        let answer = ask("GET", "/dlna/device.xml", mount: "/k/KEY")
        #expect(answer.status == 200 && answer.headers[.contentType] == "text/xml; charset=\"utf-8\"")
        let device = try #require(try XMLReader.read(answer.bytes).child("device"))
        #expect(device.child("friendlyName")?.text == "Attic <1>" && device.child("UDN")?.text == "uuid:abc")
        for service in try #require(device.child("serviceList")).children {
            for name in ["SCPDURL", "controlURL", "eventSubURL"] {
                #expect(service.child(name)?.text.hasPrefix("/k/KEY/dlna/") == true)
            }
            let path = try #require(service.child("SCPDURL")).text.dropFirst("/k/KEY".count)
            #expect(try XMLReader.read(ask("GET", String(path)).bytes).name == "scpd")
        }
    }

    @Test(arguments: [
        ("POST", "/dlna/device.xml", 405), ("GET", "/dlna/ContentDirectory/control", 405), ("GET", "/dlna/", 404),
        ("PUT", "/dlna/ContentDirectory/control", 405), ("GET", "/dlna/other.xml", 404), ("POST", "/", 405),
        ("POST", "/api/items", 405), ("SUBSCRIBE", "/api/items", 405), ("GET", "/dlna/a/b/c", 404),
        ("POST", "/dlna/ContentDirectory/control", 500), ("POST", "/dlna/ConnectionManager/control", 500),
    ])
    func `invalid requests are rejected`(method: String, path: String, status: Int) {
        #expect(ask(method, path).status == status)
    }

    @Test(arguments: ["evil.example", "evil.example:80", "", "192.0.2.5@evil.example", "[::1"])
    func `a rebound host name is rejected`(host: String) {
        let request = OriginRequest(target: "/dlna/device.xml", headers: [.hostField: host])
        #expect(served.responder.respond(to: request).status == 403)
    }

    @Test func `without a media server its routes are missing`() throws {
        let plain = try ServedFolder()
        #expect(plain.get("/dlna/device.xml", [.hostField: "192.0.2.5"]).status == 404)
    }

    @Test func `a subscriber receives the state and each change once, until it unsubscribes`() throws {
        let events = "/dlna/ContentDirectory/events"
        let begun = ask("SUBSCRIBE", events, [.callback: "<http://192.0.2.9:5/>", .nt: "upnp:event"])
        #expect(begun.status == 200 && begun.headers[.timeout] == "Second-1800")
        let id = try #require(begun.headers[.sid])
        #expect(notices.all.withLock { $0.map(\.number) } == [0])
        #expect(ask("SUBSCRIBE", events, [.sid: id]).status == 200)
        #expect(ask("SUBSCRIBE", events, [.sid: id, .nt: "upnp:event"]).status == 400)
        served.responder.tellOfChanges()
        served.responder.tellOfChanges()
        #expect(notices.all.withLock { $0.map(\.number) } == [0, 1])
        #expect(ask("UNSUBSCRIBE", events, [.sid: id]).status == 200)
        #expect(ask("UNSUBSCRIBE", events, [.sid: id]).status == 412)
        #expect(ask("SUBSCRIBE", events, [.callback: "<http://192.0.2.8:5/>", .nt: "upnp:event"]).status == 412)
    }

    @Test func `a file has DLNA fields on request`() throws {
        let path = try served.url("song.mp3", "original")
        let asked: HTTPFields = [.getContentFeatures: "1", .transferMode: "Streaming"]
        let answer = served.get(path, asked)
        #expect(answer.headers[.contentFeatures]?.hasPrefix("DLNA.ORG_OP=01;") == true)
        #expect(answer.headers[.transferMode] == "Streaming")
        #expect(served.get(path).headers[.contentFeatures] == nil)
    }

    @Test func `the update ID changes only with the tree`() {
        let item = MediaTree.Item(id: "i", folder: "a/b", title: "t", artist: nil, album: nil, isMovie: true)
        let server = MediaServer(DeviceDescription(name: "", uuid: "", version: "")) { _ in }
        let first = server.tree(of: nil) { MediaTree([item]) }
        #expect(server.tree(of: nil) { MediaTree([]) }.updateID == first.updateID)
        #expect(first.entry("i")?.parent == first.children(of: "films").flatMap { _ in first.entry("i")?.parent })
        #expect(first.entry("i@films")?.reference == "i" && first.entry("i@music") == nil && first.entry("i@") == nil)
        #expect(first.descendants(of: "0")?.count { !$0.isContainer } == 1)
    }
}
