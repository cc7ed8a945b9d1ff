import Foundation
import HTTPTypes
import SegueOriginTestSupport
import SeguePackager
import Testing

@testable import SegueOrigin

@Suite struct `The responder` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    @Test func `items are listed with their streams`() throws {
        let list = try served.json("/api/items")
        let items = try #require(list["items"] as? [[String: Any]])
        #expect(list["total"] as? Int == 8 && list["pending"] as? Int == 0)
        let byPath = Dictionary(uniqueKeysWithValues: items.map { ($0["path"] as? String ?? "", $0) })
        let film = try #require(byPath["films/film.mp4"])
        #expect(film["kind"] as? String == "movie" && film["title"] as? String == "A <film> & more")
        #expect(abs((film["duration"] as? Double ?? 0) - 14) < 0.1)
        #expect((film["streams"] as? [[String: Any]])?.compactMap { $0["codec"] as? String } == ["h264", "aac"])
        let links = try #require(film["links"] as? [String: Any])
        for name in ["play", "background", "original"] {
            #expect(served.get(try #require(links[name] as? String)).status == 200)
        }
        #expect(served.get(try #require(links["artwork"] as? String)).headers[.contentType] == "image/jpeg")
        #expect((byPath["plain.wav"]?["links"] as? [String: Any])?["artwork"] is NSNull)
        let song = try #require(byPath["song.mp3"])
        #expect(song["kind"] as? String == "musicWithArtwork" && song["artist"] as? String == "Band")
        let artwork = try #require((song["links"] as? [String: Any])?["artwork"] as? String)
        #expect(served.get(artwork).headers[.contentType] == "image/jpeg")
        #expect(byPath["plain.wav"]?["kind"] as? String == "music")
        #expect((byPath["films/silent.mp4"]?["links"] as? [String: Any])?["background"] is NSNull)
        for path in ["films/words.mp4", "empty.mkv"] {
            #expect(byPath[path]?["state"] as? String == "failed")
            #expect((byPath[path]?["error"] as? [String: String])?["message"]?.isEmpty == false)
        }
    }

    @Test func `a list does not wait for scans`() throws {
        let list = try served.json("/api/items?wait=0")
        #expect(list["total"] as? Int == 8 && list["pending"] as? Int == 8)
        let items = try #require(list["items"] as? [[String: Any]])
        #expect(items.allSatisfy { $0["state"] as? String == "pending" })
        #expect(items.allSatisfy { $0["duration"] is NSNull && $0["container"] is NSNull })
    }

    @Test(arguments: [
        ("q=film", 5), ("q=CAFE+song", 1), ("q=band+record", 1), ("q=band+nothing", 0), ("folder=films", 5),
        ("folder=/films/", 5), ("folder=fil", 0), ("folder=", 8), ("limit=2", 2), ("offset=7", 1), ("offset=70", 0),
    ])
    func `a list can be filtered`(query: String, count: Int) throws {
        _ = served.get("/api/items")
        let list = try served.json("/api/items?\(query)")
        #expect((list["items"] as? [Any])?.count == count)
    }

    @Test(arguments: ["limit=0", "limit=x", "offset=-1", "wait=-1", "limit=1e3", "wait=100"])
    func `a bad query names its parameter`(query: String) {
        let answer = served.get("/api/items?\(query)")
        #expect(answer.status == 400 && answer.message?.hasPrefix(query.prefix { $0 != "=" } + ": ") == true)
    }

    @Test func `an item describes the treatment of its streams`() throws {
        let item = try served.json("/api/items/\(try served.item("films/old.mkv").id)")
        let streams = try #require(item["streams"] as? [[String: Any]])
        #expect(streams[0]["treatments"] as? [String: String] == ["full": "transcode", "background": "left out"])
        #expect(streams[1]["treatments"] as? [String: String] == ["full": "transcode", "background": "transcode"])
        let links = try #require(item["links"] as? [String: Any])
        #expect(links["play"] is String && links["background"] is String)
        #expect((item["plan"] as? [String: Any])?["segments"] as? Int == 1)
        let words = try served.json("/api/items/\(try served.item("films/words.mp4").id)")
        #expect((words["error"] as? [String: String])?["code"] != nil)
    }

    @Test(arguments: [
        "/api/items/nothing", "/items/nothing/index.m3u8", "/items/nothing/original", "/items/nothing/master.m3u8",
        "/items/nothing/artwork.jpg", "/items/nothing/0123456789abcdef/full.ts/0.ts", "/nothing", "/items", "/api",
        "/api/items/", "//", "/index.html",
    ])
    func `missing resources are not found`(target: String) {
        let answer = served.get(target)
        #expect(answer.status == 404 && answer.code == "notFound")
    }

    @Test func `a foreign host name is rejected`() throws {
        let hosts = AllowedHosts(listeningOn: "127.0.0.1", named: ["tv"])
        let responder = Responder(library: served.responder.library) { ($0.hosts, $0.page) = (hosts, TitlesPage()) }
        let answer = { (host: String?, target: String) in
            responder.respond(to: OriginRequest(target: target, headers: host.map { [.hostField: $0] } ?? [:]))
        }
        for target in ["/", "/api/items", "/health", try served.url("song.mp3", "original")] {
            for host in ["127.0.0.1:8080", "localhost", "TV:80", nil] { #expect(answer(host, target).status == 200) }
            let refused = answer("evil.example:8080", target)
            #expect(refused.status == 403 && refused.code == "foreignHost")
            #expect(refused.message?.contains("'evil.example:8080'") == true)
        }
        #expect(served.get("/health", [.hostField: "evil.example"]).status == 200)
    }

    @Test func `a server without a page responds with 404`() throws {
        let answer = Responder(library: served.responder.library).respond(to: OriginRequest(target: "/"))
        #expect(answer.status == 404 && answer.message == "this server has no page")
    }

    @Test(arguments: ["/", "/api/items", "/health", "/metrics", "/nothing"])
    func `HEAD equals GET without the body`(target: String) {
        let (get, head) = (served.get(target), served.get(target, method: "HEAD"))
        #expect(head.status == get.status && head.body.length == 0)
        guard target != "/metrics" else { return }
        #expect(head.headers[.contentLength] == "\(get.body.length)")
        #expect(head.headers[.eTag] == get.headers[.eTag])
    }

    @Test func `heads of media are exact`() throws {
        let path = "films/film.mp4"
        let playlist = try served.url(path, "index.m3u8")
        let targets = try served.uris(served.get(playlist), of: path) + [playlist, try served.url(path, "original")]
        for target in targets {
            let (head, get) = (served.get(target, method: "HEAD"), served.get(target))
            #expect(head.status == 200 && head.body.length == 0)
            #expect(head.headers[.contentLength] == "\(get.bytes.count)")
        }
    }

    @Test func `a client with the current bytes gets a 304`() throws {
        let path = "films/film.mp4"
        let playlist = try served.url(path, "index.m3u8")
        let segment = try #require(try served.uris(served.get(playlist), of: path).first)
        for target in ["/", "/api/items", playlist, segment, try served.url(path, "original")] {
            _ = served.get(target)
            let tag = try #require(served.get(target).headers[.eTag])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
            let answer = served.get(target, [.ifNoneMatch: "\"other\", \(tag)"])
            #expect(answer.status == 304 && answer.body.length == 0 && answer.headers[.eTag] == tag)
            #expect(answer.headers[.contentLength] == nil)
            #expect(served.get(target, [.ifNoneMatch: "\"other\""]).status == 200)
        }
    }

    @Test func `media support ranges`() throws {
        let path = "films/film.mp4"
        let segment = try #require(try served.uris(served.get(try served.url(path, "index.m3u8")), of: path).first)
        for target in [segment, try served.url(path, "original")] {
            let whole = served.get(target)
            let size = whole.bytes.count
            #expect(whole.headers[.acceptRanges] == "bytes")
            let part = served.get(target, [.range: "bytes=10-19"])
            #expect(part.status == 206 && part.bytes == Array(whole.bytes[10..<20]))
            #expect(part.headers[.contentRange] == "bytes 10-19/\(size)" && part.headers[.contentLength] == "10")
            let tail = served.get(target, [.range: "bytes=-5"])
            #expect(tail.status == 206 && tail.bytes == Array(whole.bytes.suffix(5)))
            let beyond = served.get(target, [.range: "bytes=\(size)-"])
            #expect(beyond.status == 416 && beyond.headers[.contentRange] == "bytes */\(size)")
            #expect(beyond.code == "rangeNotSatisfiable")
            let tag = try #require(whole.headers[.eTag])
            #expect(served.get(target, [.range: "bytes=0-0", .ifRange: tag]).status == 206)
            #expect(served.get(target, [.range: "bytes=0-0", .ifRange: "\"old\""]).status == 200)
            let head = served.get(target, [.range: "bytes=10-19"], method: "HEAD")
            #expect(head.status == 206 && head.headers[.contentLength] == "10" && head.body.length == 0)
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE", "get"])
    func `other methods are rejected`(method: String) {
        let answer = served.get("/api/items", method: method)
        #expect(answer.status == 405 && answer.headers[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test func `CORS requests are accepted`() {
        for target in ["/api/items", "/nothing"] {
            #expect(served.get(target).headers[.accessControlAllowOrigin] == "*")
        }
        let answer = served.get("/api/items", method: "OPTIONS")
        #expect(answer.status == 204 && answer.headers[.accessControlAllowHeaders]?.contains("Range") == true)
    }

    @Test(arguments: [
        "/items/../../../etc/passwd", "/items/%2e%2e/%2e%2e/etc/passwd", "/items/..%2f..%2fetc%2fpasswd",
        "/items/%252e%252e%252fetc", "/items/..\\..\\etc", "/items/a%00b/original", "/../etc/passwd",
    ])
    func `path traversal is rejected`(target: String) {
        #expect(served.get(target).status == 400)
    }

    @Test func `missing artwork is not found, with the reason`() throws {
        let answer = served.get(try served.url("plain.wav", "artwork.jpg"))
        #expect(answer.status == 404 && answer.message == "the file has no cover art")
        #expect(served.get(try served.url("song.mp3", "artwork.jpg?width=0")).status == 400)
        #expect(served.get(try served.url("song.mp3", "artwork.jpg?width=100")).status == 200)
    }

    @Test func `the original is named and typed`() throws {
        let answer = served.get(try served.url("song.mp3", "original"))
        #expect(answer.headers[.contentType] == "audio/mpeg")
        #expect(answer.headers[.contentDisposition] == "inline; filename*=UTF-8''song.mp3")
        #expect(answer.headers[.lastModified]?.hasSuffix(" GMT") == true)
    }

    @Test func `metrics count requests and segments`() throws {
        let path = "films/film.mp4"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        for _ in 0..<2 { _ = served.get(uris[0]) }
        let text = served.get("/metrics").text
        for line in [
            "segue_requests_total{status=\"200\"} 3", "segue_requests_in_flight 1", "segue_presentations_open 1",
            "segue_segments_made_total 1", "segue_segments_found_total 1", "segue_items 8",
            "segue_sending_spooled_bytes 0",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
        }
        #expect(served.get("/health").text == "ok\n")
    }
}
