import HTTPTypes
import SegueAccess
import SegueOrigin
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import SegueUPnP
import Testing

@testable import SegueServer

/// Each credential with each route: the routes that it opens are listed here, and are those of docs/access.md.
@Suite struct `Credentials and routes` {
    private static let everything = Set(RouteName.allCases)
    private static let televisions: Set<RouteName> = [
        .master, .media, .initSegment, .segment, .subtitles, .original, .artwork, .mediaServer, .health,
    ]

    /// A way to show a credential.
    private struct Way: CustomStringConvertible {
        let description: String
        var prefix = ""
        var query = ""
        var fields: [String] = []
        let opens: Set<RouteName>
    }

    private static func served() throws -> ServedFolder {
        try ServedFolder(
            mediaServer: MediaServer(DeviceDescription(name: "Attic", uuid: "abc", version: "1"), notify: { _ in })
        )
    }

    private static func ways(_ guarded: Guarded, session: String) -> [Way] {
        let (house, films) = (guarded.house.text, guarded.films.text)
        let (brief, television) = (guarded.brief.text, guarded.televisions.text)
        let shared = everything.subtracting([.metrics])
        return [
            Way(description: "nothing", opens: [.health]),
            Way(description: "the house's key", prefix: "/k/\(house)", opens: everything),
            Way(
                description: "the house's key as a token",
                fields: ["Authorization: Bearer \(house)"],
                opens: everything
            ),
            Way(description: "a key of some folders", prefix: "/k/\(films)", opens: shared),
            Way(description: "a key before its end", prefix: "/k/\(brief)", opens: everything),
            Way(description: "a revoked key", prefix: "/k/\(guarded.revoked.text)", opens: [.health]),
            Way(description: "a person", fields: [basicField("Änne", "s3cret:ü")], opens: everything),
            Way(description: "a session", fields: ["Cookie: segue=\(session)"], opens: everything),
            Way(description: "televisions", prefix: "/k/\(television)", opens: televisions),
            Way(description: "televisions, in capitals", prefix: "/k/\(television.uppercased())", opens: televisions),
            Way(
                description: "televisions, as a token",
                fields: ["Authorization: Bearer \(television)"],
                opens: [.health]
            ),
            Way(description: "televisions, as a password", fields: [basicField("", television)], opens: [.health]),
            Way(description: "televisions, in the query", query: "key=\(television)", opens: [.health]),
        ]
            + ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "Via: 1.1 cache", "X-Real-IP: 192.0.2.1"].map {
                Way(description: "televisions, \($0)", prefix: "/k/\(television)", fields: [$0], opens: [.health])
            }
    }

    @Test func `a credential opens its routes, and no other`() async throws {
        let (guarded, served) = (try Guarded(), try Self.served())
        let item = try served.item("films/tongues.mkv")
        let tag = try FileIdentity(ofFileAt: item.filePath).tag
        try await withServer(threads: 2, queueLimit: 64, door: guarded.door) {
            served.responder.respond(to: $0, cancellation: $1)
        } _: { address in
            let login = try await address.ask("/?login", method: "POST", body: "name=Änne&password=s3cret:ü")
            let session = try #require(login.head.firstMatch(of: #/Set-Cookie: segue=([a-z0-9]+)/#.ignoresCase()))
            for way in Self.ways(guarded, session: String(session.1)) {
                for route in RouteName.allCases {
                    let path = route.example(id: item.id, tag: tag)
                    let target =
                        way.prefix + path + (way.query.isEmpty ? "" : "\(path.contains("?") ? "&" : "?")\(way.query)")
                    // The body of a radio station has no end.
                    let method = route.method == "GET" ? "HEAD" : route.method
                    let answer = try await address.ask(target, way.fields, method: method)
                    let direct = served.responder.respond(
                        to: OriginRequest(method: method, target: path, headers: [.hostField: "\(address)"])
                    )
                    let isOpen = way.opens.contains(route)
                    if isOpen {
                        #expect(answer.status == direct.status, "\(way) \(route)")
                    } else {
                        #expect([401, 404].contains(answer.status), "\(way) \(route)")
                    }
                }
            }
        }
    }

    @Test func `a television can store nothing, and gets no report`() async throws {
        let (guarded, served) = (try Guarded(), try Self.served())
        let item = try served.item("song.mp3")
        let key = "/k/\(guarded.televisions.text)"
        try await withServer(threads: 2, door: guarded.door) {
            served.responder.respond(to: $0, cancellation: $1)
        } _: { address in
            let fields = ["Content-Type: application/json"]
            for method in ["PUT", "DELETE", "POST"] {
                let stored = try await address.ask("\(key)/api/resume/\(item.id)", fields, method: method, body: "{}")
                #expect(stored.status == 404)
            }
            #expect(try await address.ask("\(key)/health").body == "ok\n")
            #expect(try await address.ask("\(key)/items/\(item.id)/original", ["Range: bytes=0-1"]).status == 206)
            let description = try await address.ask("\(key)/dlna/device.xml")
            #expect(description.status == 200 && description.body.contains("\(key)/dlna/ContentDirectory/control"))
            // The others' keys are no part of what it gets.
            #expect(!description.body.contains(guarded.house.text))
        }
    }

    @Test func `subscribers behind a proxy are refused`() async throws {
        let served = try Self.served()
        for proxies in [TrustedProxies(), TrustedProxies([AddressRange("127.0.0.0/8")!])] {
            try await withServer(threads: 2, fairness: OriginServer.Fairness(proxies: proxies)) {
                served.responder.respond(to: $0, cancellation: $1)
            } _: { address in
                let subscribe = ["CALLBACK: <http://127.0.0.1:9/>", "NT: upnp:event"]
                let path = "/dlna/ContentDirectory/events"
                for field in ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "Via: 1.1 a", "X-Real-IP: ::1"]
                {
                    let answer = try await address.ask(path, subscribe + [field], method: "SUBSCRIBE")
                    #expect(answer.status == 403, "\(field)")
                }
                // A trusted proxy's connection is a proxy's, also without a field.
                let plain = try await address.ask(path, subscribe, method: "SUBSCRIBE")
                #expect(plain.status == (proxies.ranges.isEmpty ? 200 : 403))
            }
        }
    }
}
