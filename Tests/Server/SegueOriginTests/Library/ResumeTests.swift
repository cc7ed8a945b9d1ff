import Foundation
import HTTPTypes
import SegueOriginTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Resume positions` {
    private static func point(_ position: Double, at: Int64, id: String = "a") -> ResumePoint {
        ResumePoint(id: id, position: position, duration: 100, isFinished: false, at: at, changed: 10)
    }

    @Test(
        arguments: [
            (nil, 5, 5), (4, 5, 5), (5, 5, 5), (6, 5, 6), (10, 5, 10),
            // From the future: the clock was ahead.
            (11, 5, 5), (9000, 5, 5),
        ] as [(Int64?, Int64, Int64)]
    )
    func `are the newest ones`(kept: Int64?, coming: Int64, left: Int64) {
        let merged = ResumePoint.merged(
            kept.map { Self.point(Double($0), at: $0) },
            with: Self.point(1000, at: coming)
        )
        #expect(merged.at == left)
        #expect(merged.position == (left == coming ? 1000 : Double(left)))
    }

    @Test func `are limited in number`() {
        let points = MemoryResumePoints()
        for number in 0...ResumePoint.most {
            _ = points.keep(Self.point(1, at: Int64(number), id: "\(number)"), of: "one")
        }
        let left = points.points(of: "one")
        #expect(left.count == ResumePoint.most && left.last?.id == "1" && left.first?.id == "\(ResumePoint.most)")
        #expect(points.points(of: "other").isEmpty)
    }

    /// A server with a clock that the test sets.
    private final class Asked {
        let served: ServedFolder
        let responder: Responder
        let now: Time

        final class Time: Sendable {
            let milliseconds = Mutex<Int64>(1_700_000_000_000)
        }

        init() throws {
            let time = Time()
            served = try ServedFolder()
            now = time
            responder = Responder(library: served.responder.library) {
                $0.now = { time.milliseconds.withLock { $0 } }
            }
        }

        func ask(
            _ method: String,
            _ target: String,
            _ body: String = "",
            type: String? = "application/json",
            by visitor: Visitor = Visitor()
        ) -> OriginResponse {
            var request = OriginRequest(
                method: method,
                target: target,
                headers: type.map { [.contentType: $0] } ?? [:]
            )
            request.body = Array(body.utf8)
            request.visitor = visitor
            return responder.respond(to: request)
        }

        func points(_ query: String = "", by visitor: Visitor = Visitor()) throws -> [[String: Any]] {
            let bytes = ask("GET", "/api/resume\(query)", by: visitor).bytes
            let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            return try #require(object?["points"] as? [[String: Any]])
        }
    }

    @Test func `are stored, listed, and removed for each person`() throws {
        let asked = try Asked()
        let film = try asked.served.item("films/film.mp4").id
        let song = try asked.served.item("song.mp3").id
        let body = #"{"position":5.5,"duration":14,"finished":false,"at":"2023-11-01T10:00:00.250Z"}"#
        let anna = Visitor(identity: "anna")
        let answer = asked.ask("PUT", "/api/resume/\(film)", body, by: anna)
        #expect(answer.status == 200 && answer.text.contains(#""at":"2023-11-01T10:00:00.250Z""#))
        #expect(asked.ask("POST", "/api/resume/\(song)", #"{"position":1}"#, by: anna).status == 200)
        let points = try asked.points(by: anna)
        #expect(points.map { $0["id"] as? String } == [song, film])
        #expect(points[1]["position"] as? Double == 5.5 && points[1]["finished"] as? Bool == false)
        #expect(points[0]["at"] as? String == "2023-11-14T22:13:20.000Z")
        #expect(try asked.points(by: Visitor(identity: "ben")).isEmpty)
        #expect(try asked.points(by: Visitor(identity: "anna", folders: ["films"])).count == 1)
        #expect(asked.ask("DELETE", "/api/resume/\(song)", by: anna).status == 204)
        #expect(try asked.points(by: anna).count == 1)
    }

    @Test func `is never said to be of the future, and older news changes nothing`() throws {
        let asked = try Asked()
        let film = try asked.served.item("films/film.mp4").id
        _ = asked.ask("PUT", "/api/resume/\(film)", #"{"position":1,"at":"2999-01-01T00:00:00Z"}"#)
        #expect(try asked.points()[0]["at"] as? String == "2023-11-14T22:13:20.000Z")
        let old = asked.ask("PUT", "/api/resume/\(film)", #"{"position":2,"at":"2020-01-01T00:00:00Z"}"#)
        #expect(old.status == 200 && old.text.contains(#""position":1}"#))
        asked.now.milliseconds.withLock { $0 += 1000 }
        _ = asked.ask("PUT", "/api/resume/\(film)", #"{"position":3}"#)
        #expect(try asked.points()[0]["position"] as? Double == 3)
    }

    @Test func `yield to later ones if they were stored while the clock was ahead`() throws {
        let asked = try Asked()
        let ids = try ["films/film.mp4", "song.mp3"].map { try asked.served.item($0).id }
        let year: Int64 = 365 * 86_400_000
        asked.now.milliseconds.withLock { $0 += year }
        _ = asked.ask("PUT", "/api/resume/\(ids[0])", #"{"position":1}"#)
        asked.now.milliseconds.withLock { $0 -= year }
        let shown = try asked.points()[0]
        #expect(shown["at"] as? String == "2023-11-14T22:13:20.000Z")
        // A client that asks for what has changed since then misses nothing.
        let since = try #require(shown["changed"] as? String)
        asked.now.milliseconds.withLock { $0 += 1000 }
        _ = asked.ask("PUT", "/api/resume/\(ids[1])", #"{"position":3}"#)
        #expect(try asked.points("?since=\(since)").contains { $0["id"] as? String == ids[1] })
        _ = asked.ask("PUT", "/api/resume/\(ids[0])", #"{"position":2}"#)
        #expect(try asked.points().first { $0["id"] as? String == ids[0] }?["position"] as? Double == 2)
    }

    @Test func `can be filtered by time`() throws {
        let asked = try Asked()
        let ids = try ["films/film.mp4", "song.mp3"].map { try asked.served.item($0).id }
        _ = asked.ask("PUT", "/api/resume/\(ids[0])", #"{"position":1}"#)
        asked.now.milliseconds.withLock { $0 += 1000 }
        // A player that was offline reports an old position.
        _ = asked.ask("PUT", "/api/resume/\(ids[1])", #"{"position":2,"at":"2020-01-01T00:00:00Z"}"#)
        let first = try #require(try asked.points().first { $0["id"] as? String == ids[0] }?["changed"] as? String)
        #expect(try asked.points("?since=\(first)").map { $0["id"] as? String } == [ids[1]])
        #expect(try asked.points("?since=2000-01-01T00:00:00Z").count == 2)
    }

    @Test func `can sort items`() throws {
        let asked = try Asked()
        let id = try asked.served.item("song.mp3").id
        _ = asked.ask("PUT", "/api/resume/\(id)", #"{"position":1}"#)
        let list = asked.ask("GET", "/api/items?sort=-recent&limit=1&wait=0").text
        #expect(list.contains(#""id":"\#(id)""#))
    }

    @Test(
        arguments: [
            (#"{"position":1"#, "application/json", 400), ("[]", "application/json", 400),
            ("", "application/json", 400),
            (#"{"position":-1}"#, "application/json", 400), (#"{"position":1e300}"#, "application/json", 400),
            (#"{"position":1,"duration":-1}"#, "application/json", 400),
            (#"{"position":"1"}"#, "application/json", 400),
            (#"{"position":1,"at":"soon"}"#, "application/json", 400), (#"{"position":1}"#, "text/plain", 415),
            (#"{"position":1}"#, nil, 415), (#"{"position":1}"#, "Application/JSON; charset=utf-8", 200),
            (#"{"position":1,"x":"\#(String(repeating: "x", count: 9000))"}"#, "application/json", 413),
        ] as [(String, String?, Int)]
    )
    func `are rejected if they are invalid`(body: String, type: String?, status: Int) throws {
        let asked = try Asked()
        let answer = asked.ask("PUT", "/api/resume/\(try asked.served.item("song.mp3").id)", body, type: type)
        #expect(answer.status == status && (status == 200 || answer.message != nil))
    }

    @Test func `are limited to visible items`() throws {
        let asked = try Asked()
        let guest = Visitor(identity: "guest", folders: ["films"])
        #expect(asked.ask("PUT", "/api/resume/none", #"{"position":1}"#).status == 404)
        let song = try asked.served.item("song.mp3").id
        #expect(asked.ask("PUT", "/api/resume/\(song)", #"{"position":1}"#, by: guest).status == 404)
        #expect(asked.ask("DELETE", "/api/resume/\(song)", by: guest).status == 404)
    }

    @Test(arguments: [
        ("/api/resume", ["POST", "PUT", "DELETE", "PATCH"], "GET, HEAD, OPTIONS"),
        ("/api/resume/x", ["GET", "HEAD", "PATCH"], "DELETE, OPTIONS, POST, PUT"),
        ("/nothing", ["POST", "PUT"], "GET, HEAD, OPTIONS"),
    ])
    func `support only the allowed methods`(target: String, methods: [String], allowed: String) throws {
        let asked = try Asked()
        for method in methods {
            let answer = asked.ask(method, target)
            #expect(answer.status == 405 && answer.headers[.allow] == allowed)
        }
    }

    @Test func `can be changed only by the server's own pages`() throws {
        let answer = try Asked().ask("OPTIONS", "/api/resume/x")
        #expect(answer.status == 204 && answer.headers[.allow] == "DELETE, OPTIONS, POST, PUT")
        #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, OPTIONS")
    }
}
