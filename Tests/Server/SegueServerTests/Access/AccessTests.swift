import Foundation
import HTTPTypes
import SegueAccess
import SegueOrigin
import SegueOriginTestSupport
import SeguePackager
import SegueStores
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `Access over connections` {
    @Test(arguments: [true, false])
    func `wrong passwords delay only their client behind a trusted proxy, but all clients behind another one`(
        isTrusted: Bool
    )
        async throws
    {
        let guarded = try Guarded()
        let fairness = OriginServer.Fairness(proxies: TrustedProxies(isTrusted ? [AddressRange("127.0.0.0/8")!] : []))
        try await withServer(threads: 2, fairness: fairness, door: guarded.door, Guarded.who) { address in
            let (first, forwarded) = ("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1")
            let said = [
                first, forwarded, first, forwarded, first, forwarded,
                // A client's forged entry before the proxy's is ignored; behind the proxy another client is
                // distinguished.
                "X-Forwarded-For: 192.0.2.9, 192.0.2.1", "X-Forwarded-For: 192.0.2.2",
                "Forwarded: for=\"[2001:db8::1]:4711\";proto=https",
            ]
            var statuses: [Int] = []
            for field in said {
                let body = "name=ben&password=wrong"
                statuses.append(try await address.ask("/?login", [field], method: "POST", body: body).status)
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429] + (isTrusted ? [401, 401] : [429, 429]))
            let told = guarded.news.value.map { news in
                if case .failedLogin(_, let address, _) = news { address } else { "" }
            }
            let clients = ["192.0.2.2", "2001:db8::"]
            let proxy = [String](repeating: "127.0.0.1", count: 9)
            #expect(told == (isTrusted ? [String](repeating: "192.0.2.1", count: 7) + clients : proxy))
        }
    }

    @Test func `every route responds alike without a key`() async throws {
        let (guarded, served) = (try Guarded(), try ServedFolder())
        let item = try served.item("films/film.mp4")
        let tag = try FileIdentity(ofFileAt: item.filePath).tag
        let wrong = AccessKey.make().text
        try await withServer(threads: 2, door: guarded.door) {
            served.responder.respond(to: $0, cancellation: $1)
        } _: { address in
            guarded.time.pass(61)
            let refusal = try await address.ask("/nothing/at/all")
            #expect(
                refusal.status == 401 && refusal.body.hasPrefix("{\"error\":{\"code\":\"unauthorized\",\"message\":")
            )
            let ways: [(prefix: String, fields: [String])] = [
                ("", []), ("/k/\(wrong)", []), ("/k/short", []), ("/k/\(guarded.brief.text)", []),
                ("/k/\(guarded.revoked.text)", []), ("", ["Authorization: Bearer \(wrong)"]),
                ("", ["Authorization: Bearer \(guarded.brief.text)"]), ("", ["Cookie: segue=\(wrong)"]),
                ("", [basicField("", guarded.revoked.text)]), ("", ["Authorization: Basic !"]),
                ("", ["Authorization: Digest x"]),
            ]
            for kind in RouteName.allCases where kind != .health {
                let path = kind.example(id: item.id, tag: tag)
                for (prefix, fields) in ways {
                    guarded.time.pass(3600)
                    let answer = try await address.ask(prefix + path, fields)
                    #expect(undated(answer.head) == undated(refusal.head), "\(prefix + path) \(fields)")
                    #expect(answer.body == refusal.body, "\(prefix + path) \(fields)")
                }
                for method in ["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "TRACE"] {
                    let answer = try await address.ask(path, method: method)
                    #expect(undated(answer.head) == undated(refusal.head), "\(method) \(path)")
                    #expect(answer.body == (method == "HEAD" ? "" : refusal.body))
                }
            }
            for target in [
                "/%2e%2e/etc/passwd", "/" + String(repeating: "x", count: 9000), "/api/items?q=%zz", "/k/", "/k",
            ] {
                let answer = try await address.ask(target)
                #expect(
                    answer.body == refusal.body && undated(answer.head) == undated(refusal.head),
                    "\(target.prefix(30))"
                )
            }
            #expect(refusal.head.lowercased().contains("www-authenticate: basic"))
            // Over an open page a browser shows no password dialog of its own.
            for field in ["Sec-Fetch-Mode: cors", "Referer: http://\(address)/"] {
                let ofPage = try await address.ask("/api/items", [field])
                #expect(ofPage.status == 401 && ofPage.body == refusal.body, "\(field)")
                #expect(!ofPage.head.lowercased().contains("www-authenticate"), "\(field)")
            }
        }
    }

    @Test(arguments: RouteName.allCases)
    func `every route accepts a key, and hides items of other folders`(kind: RouteName) async throws {
        let (guarded, served) = (try Guarded(), try ServedFolder())
        try await withServer(threads: 2, queueLimit: 8, door: guarded.door) {
            served.responder.respond(to: $0, cancellation: $1)
        } _: { address in
            let item = try served.item("song.mp3")
            let path = kind.example(id: item.id, tag: try FileIdentity(ofFileAt: item.filePath).tag)
            if kind == .radio { return }
            #expect(try await address.ask("/k/\(guarded.house.text)\(path)", method: kind.method).status != 401)
            guard kind.isOfItem else { return }
            let foreign = try await address.ask("/k/\(guarded.films.text)\(path)", method: kind.method)
            let other = path.replacing(item.id, with: "zzzzzzzzzzzz")
            let unknown = try await address.ask("/k/\(guarded.films.text)\(other)", method: kind.method)
            #expect(foreign.status == 404 && undated(foreign.head) == undated(unknown.head))
            #expect(foreign.body.replacing(item.id, with: "zzzzzzzzzzzz") == unknown.body)
        }
    }

    @Test func `a key is accepted in all places, and removed from the request`() async throws {
        let guarded = try Guarded()
        let key = guarded.films.text
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let who = "key-2|films|[\"films\"]"
            for (target, fields, said) in [
                ("/k/\(key)/items/1/index.m3u8?x=1", [], "\(who)|/k/\(key)|/items/1/index.m3u8?x=1"),
                ("/k/\(key.uppercased())/", [], "\(who)|/k/\(key.uppercased())|/"),
                ("http://\(address)/k/\(key)/a", [], "\(who)|/k/\(key)|/a"),
                ("/api/items?key=\(key)&q=a", [], "\(who)|/k/\(key)|/api/items?q=a"),
                ("/a?q=b&key=\(key)", [], "\(who)|/k/\(key)|/a?q=b"),
                ("/a", ["Authorization: Bearer \(key)"], "\(who)||/a"),
                ("/a", ["authorization: basic \(Data("any:\(key)".utf8).base64EncodedString())"], "\(who)||/a"),
                ("/a", [basicField("Änne", "s3cret:ü")], "person-1|Änne|[\"*\"]||/a"),
                ("/a", [basicField("A\u{308}nne", "s3cret:u\u{308}")], "person-1|Änne|[\"*\"]||/a"),
            ] {
                let answer = try await address.ask(target, fields)
                #expect(answer.status == 200 && answer.body == said + "0", "\(target) \(fields)")
                #expect(answer.head.contains("Cache-Control: private, max-age"))
            }
            for (target, place) in [
                ("/k/\(key)", "/k/\(key)/"), ("/k/\(key)?q=1", "/k/\(key)/?q=1"), ("/?key=\(key)", "/k/\(key)/"),
                ("/items/1/index.m3u8?background=1&key=\(key)", "/k/\(key)/items/1/index.m3u8?background=1"),
                ("//evil.example/x.m3u8?key=\(key)", "/k/\(key)/evil.example/x.m3u8"),
            ] {
                let answer = try await address.ask(target)
                #expect(answer.status == 303 && answer.head.contains("\r\nLocation: \(place)\r\n"), "\(answer.head)")
            }
        }
    }

    @Test func `new and revoked keys apply at once in a running server`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let other = try AccessStore(folder: guarded.folder.file("data"))
            let key = AccessKey.make()
            #expect(try await address.ask("/k/\(key.text)/a").status == 401)
            try other.add(key, name: "new", grant: KeyGrant(), now: Guarded.start)
            try await Self.until { try await address.ask("/k/\(key.text)/a").status == 200 }
            _ = try other.removeKey("new")
            try await Self.until { try await address.ask("/k/\(key.text)/a").status == 401 }
            #expect(try await address.ask("/k/\(guarded.brief.text)/a").status == 200)
            guarded.time.pass(60)
            #expect(try await address.ask("/k/\(guarded.brief.text)/a").status == 401)
            #expect(try await address.ask("/a", [basicField("Änne", "s3cret:ü")]).status == 200)
            _ = try other.setPassword(.make(of: "other", cost: .least), of: "Änne")
            try await Self.until { try await address.ask("/a", [basicField("Änne", "s3cret:ü")]).status == 401 }
        }
    }

    /// A body that never ends.
    private struct Endless: EndlessReading {
        mutating func next() async -> [UInt8]? { Array("more".utf8) }
        func close() {}
    }

    @Test(arguments: [
        "a revoked key", "a key at its end", "an ended session", "a changed password", "a removed person",
    ])
    func `a response without an end is ended with the right to it`(way: String) async throws {
        let guarded = try Guarded()
        let respond: OriginServer.Respond = { _, _ in
            OriginResponse(status: 200, headers: [:], body: .endless(EndlessBody { Endless() }))
        }
        try await withServer(threads: 2, door: guarded.door, respond) { address in
            let login = try await address.ask("/?login", method: "POST", body: "name=Änne&password=s3cret:ü")
            let token = try #require(login.head.firstMatch(of: #/Set-Cookie: (segue=[a-z0-9]+)/#.ignoresCase())).1
            let key = way.hasSuffix("end") ? guarded.brief : guarded.films
            let asks =
                switch way {
                case "a revoked key", "a key at its end": "GET /k/\(key.text)/radio HTTP/1.1\r\n"
                case "an ended session": "GET /radio HTTP/1.1\r\nCookie: \(token)\r\n"
                default: "GET /radio HTTP/1.1\r\n\(basicField("Änne", "s3cret:ü"))\r\n"
                }
            // The connection is closed by the server, or this never returns.
            try await address.readToEnd(of: "\(asks)Host: \(address)\r\n\r\n") {
                switch way {
                case "a revoked key": _ = try guarded.store.removeKey("films")
                case "a key at its end": guarded.time.pass(61)
                case "an ended session":
                    let session = try #require(AccessKey(token.dropFirst("segue=".count)))
                    try guarded.store.end(session.digest)
                case "a changed password":
                    _ = try guarded.store.setPassword(.make(of: "other", cost: .least), of: "Änne")
                default: _ = try guarded.store.removePerson("Änne")
                }
            }
        }
    }

    /// Repeats until a condition holds; the suite's time limit ends it.
    private static func until(_ isSo: () async throws -> Bool) async throws { while try await !isSo() {} }

    @Test func `everyone may read the health, and this machine and clients with a key its details`() async throws {
        let guarded = try Guarded()
        let respond: OriginServer.Respond = { _, _ in
            OriginResponse(status: 200, headers: [.contentLength: "3"], body: .bytes(Array("ok\n".utf8)))
        }
        try await withServer(threads: 2, door: guarded.door, respond) { address in
            let (house, films) = (guarded.house.text, guarded.films.text)
            let own = try await address.body("/health")
            #expect(own.contains("workers busy"))
            #expect(try await address.body("/health", ["X-Forwarded-For: 192.0.2.1"]) == "ok\n")
            #expect(try await address.body("/k/\(house)/health", ["Via: 1.1 x"]).contains("workers busy"))
            #expect(try await address.body("/k/\(films)/health", ["Via: 1.1 x"]) == "ok\n")
        }
    }
}
