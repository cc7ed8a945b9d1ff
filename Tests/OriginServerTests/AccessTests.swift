import Access
import AccessStore
import Foundation
import Origin
import OriginTestSupport
import Packager
import Synchronization
import TestSupport
import Testing

@testable import OriginServer

/// A server with keys, people and a clock that the test sets.
private struct Guarded {
    static let start: Int64 = 1_800_000_000

    let folder: TestFolder
    let store: AccessStore
    let door: Door
    let time: Time
    let news: News

    let house = AccessKey.make()
    let films = AccessKey.make()
    let brief = AccessKey.make()
    let revoked = AccessKey.make()

    final class Time: Sendable {
        private let now = Mutex(Guarded.start)
        var value: Int64 { now.withLock { $0 } }
        func pass(_ seconds: Int64) { now.withLock { $0 += seconds } }
    }

    final class News: Sendable {
        private let all = Mutex<[Door.News]>([])
        var value: [Door.News] { all.withLock { $0 } }
        func add(_ news: Door.News) { all.withLock { $0.append(news) } }
    }

    init(origins: CrossOrigin = .none) throws {
        folder = try TestFolder()
        store = try AccessStore(folder: folder.file("data"))
        let now = Self.start
        try store.add(house, name: "house", isShown: true, folders: nil, until: nil, now: now)
        try store.add(films, name: "films", isShown: false, folders: ["films"], until: nil, now: now)
        try store.add(brief, name: "brief", isShown: false, folders: nil, until: now + 60, now: now)
        try store.add(revoked, name: "revoked", isShown: false, folders: nil, until: nil, now: now)
        _ = try store.removeKey("revoked")
        try store.addPerson("Änne", password: .make(of: "s3cret:ü", cost: .least), folders: nil, now: now)
        (time, news) = (Time(), News())
        door = try Door(
            Door.Rules(isOpen: false, origins: origins),
            guarded: (store, PageFolder.files()),
            now: { [time] in time.value },
            clock: { [time] in Double(time.value) },
            news: { [news] in news.add($0) }
        )
    }

    /// Whoever asks, as the answers' text.
    static let who: OriginServer.Respond = { request, _ in
        let visitor = request.visitor
        let secrets = request.headers.filter { ["authorization", "cookie"].contains($0.name.lowercased()) }
        let text = "\(visitor.identity)|\(visitor.name)|\(visitor.folders ?? ["*"])|\(request.mount)|\(request.target)"
        return OriginResponse(
            status: 200,
            headers: [
                ("Content-Length", "\((text + "\(secrets.count)").utf8.count)"),
                ("Cache-Control", "public, max-age=31536000, immutable"),
            ],
            body: .bytes(Array((text + "\(secrets.count)").utf8))
        )
    }
}

extension OriginServer.Address {
    /// Asks on a connection of its own.
    fileprivate func ask(
        _ target: String,
        _ fields: [String] = [],
        method: String = "GET",
        body: String? = nil
    ) async throws -> (status: Int, head: String, body: String) {
        var request = "\(method) \(target) HTTP/1.1\r\nHost: \(self)\r\n"
        for field in fields { request += "\(field)\r\n" }
        if let body { request += "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)" }
        let text: String
        if body != nil {
            text = try await wholeExchange(request)
        } else {
            let answer = try await exchange(request)
            text = answer.head + String(decoding: answer.body, as: UTF8.self)
        }
        let end = try #require(text.range(of: "\r\n\r\n"))
        let head = String(text[..<end.lowerBound])
        return (Int(head.split(separator: " ")[1]) ?? 0, head, String(text[end.upperBound...]))
    }
}

extension OriginServer.Address {
    /// The body alone.
    fileprivate func body(_ target: String, _ fields: [String] = []) async throws -> String {
        try await ask(target, fields).body
    }
}

private func basic(_ name: String, _ password: String) -> String {
    "Authorization: Basic \(Data("\(name):\(password)".utf8).base64EncodedString())"
}

/// The head without what differs by the second.
private func undated(_ head: String) -> String {
    head.split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }.joined(separator: "\n")
}

@Suite(.timeLimit(.minutes(5))) struct `Access over sockets` {
    @Test(arguments: [true, false])
    func `behind a proxy that is trusted wrong passwords slow their client alone, behind any other all`(isTrusted: Bool)
        async throws
    {
        let guarded = try Guarded()
        let fairness = OriginServer.Fairness(trusted: isTrusted ? [AddressRange("127.0.0.0/8")!] : [])
        try await withServer(threads: 2, fairness: fairness, door: guarded.door, Guarded.who) { address in
            let (first, forwarded) = ("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1")
            let said = [
                first, forwarded, first, forwarded, first, forwarded,
                // What a client says before its proxy's word is not believed; another client is, where the proxy is.
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

    @Test func `every route without what is needed is answered alike, whatever is there`() async throws {
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
                ("", [basic("", guarded.revoked.text)]), ("", ["Authorization: Basic !"]),
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
        }
    }

    @Test(arguments: RouteName.allCases)
    func `every route lets a key in, and one of other folders sees nothing of an item`(kind: RouteName) async throws {
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

    @Test func `a key is taken from wherever a player can put it, and goes no further`() async throws {
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
                ("/a", [basic("Änne", "s3cret:ü")], "person-1|Änne|[\"*\"]||/a"),
                ("/a", [basic("A\u{308}nne", "s3cret:u\u{308}")], "person-1|Änne|[\"*\"]||/a"),
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

    @Test func `what is given and taken counts at once, in a server that runs`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let other = try AccessStore(folder: guarded.folder.file("data"))
            let key = AccessKey.make()
            #expect(try await address.ask("/k/\(key.text)/a").status == 401)
            try other.add(key, name: "new", isShown: false, folders: nil, until: nil, now: Guarded.start)
            try await Self.until { try await address.ask("/k/\(key.text)/a").status == 200 }
            _ = try other.removeKey("new")
            try await Self.until { try await address.ask("/k/\(key.text)/a").status == 401 }
            #expect(try await address.ask("/k/\(guarded.brief.text)/a").status == 200)
            guarded.time.pass(60)
            #expect(try await address.ask("/k/\(guarded.brief.text)/a").status == 401)
            #expect(try await address.ask("/a", [basic("Änne", "s3cret:ü")]).status == 200)
            _ = try other.setPassword(.make(of: "other", cost: .least), of: "Änne")
            try await Self.until { try await address.ask("/a", [basic("Änne", "s3cret:ü")]).status == 401 }
        }
    }

    /// Asks until the answer is the one; the suite's time limit ends it.
    private static func until(_ isSo: () async throws -> Bool) async throws { while try await !isSo() {} }

    @Test func `health is told to everybody, and details to this machine and those let in`() async throws {
        let guarded = try Guarded()
        let respond: OriginServer.Respond = { _, _ in
            OriginResponse(status: 200, headers: [("Content-Length", "3")], body: .bytes(Array("ok\n".utf8)))
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

@Suite(.timeLimit(.minutes(5))) struct `Logging in` {
    private static let html = ["Accept: text/html,application/xhtml+xml", "Sec-Fetch-Mode: navigate"]
    private static let form = "Content-Type: application/x-www-form-urlencoded"
    private static let right = "name=%C3%84nne&password=s3cret%3A%C3%BC"

    private static func token(_ head: String) throws -> String {
        String(
            try #require(
                head.firstMatch(
                    of: /Set-Cookie: segue=([0-9a-z]*); Path=\/; Max-Age=[0-9]+; HttpOnly; SameSite=Lax\r?\n?/
                )
            ).1
        )
    }

    @Test func `a browser is shown the same page for every path`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let page = try await address.ask("/", Self.html)
            #expect(page.status == 401 && page.head.contains("Content-Type: text/html"))
            // Without a referrer browsers send the form with "Origin: null", as a page of somebody else would.
            #expect(page.head.contains("Referrer-Policy: same-origin\r\n"))
            #expect(!page.head.lowercased().contains("www-authenticate"))
            #expect(page.body.contains("<form method=\"post\" action=\"?login\">") && !page.body.contains("<script"))
            for path in ["/items/x/index.m3u8", "/api/items", "/health/x", "/k/\(AccessKey.make().text)/", "/?login"] {
                let other = try await address.ask(path, Self.html)
                #expect(other.body == page.body && undated(other.head) == undated(page.head))
            }
            #expect(
                try await address.ask("/", Self.html + ["Accept-Language: de-AT,en;q=0.5"]).body.contains("Anmelden")
            )
            let german = try await address.ask("/films?q=x&language=de", Self.html + ["Accept-Language: en"]).body
            #expect(german.contains("lang=\"de\"") && german.contains("name=\"language\" value=\"de\""))
            let again = try await address.ask(
                "/?login",
                Self.html + [Self.form],
                method: "POST",
                body: "name=x&password=y&language=de"
            )
            #expect(again.status == 401 && again.body.contains("gehören nicht zusammen"))
            let none = try await address.ask("/?language=%3Cb%3E", Self.html).body
            #expect(none == page.body)
        }
    }

    @Test func `a session begins with a new token each time, and comes out where it was asked for`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let planted = AccessKey.make().text
            let first = try await address.ask(
                "/items/1/original?login",
                [Self.form, "Cookie: segue=\(planted)"],
                method: "POST",
                body: Self.right
            )
            #expect(first.status == 303 && first.head.contains("\r\nLocation: /items/1/original\r\n"))
            let token = try Self.token(first.head)
            #expect(token != planted && token.utf8.count == AccessKey.length)
            #expect(try await address.ask("/a", ["Cookie: segue=\(planted)"]).status == 401)
            let inside = try await address.ask("/a", ["Cookie: other=1; segue=\(token)"])
            #expect(inside.status == 200 && inside.body == "person-1|Änne|[\"*\"]||/a0")
            let second = try await address.ask(
                "//evil.example?login",
                [Self.form, "Cookie: segue=\(token)"],
                method: "POST",
                body: Self.right
            )
            #expect(second.head.contains("\r\nLocation: /evil.example\r\n"))
            let other = try Self.token(second.head)
            #expect(other != token)
            #expect(try await address.ask("/a", ["Cookie: segue=\(token)"]).status == 401)
            #expect(try await address.ask("/a", ["Cookie: segue=\(other)"]).status == 200)
            #expect(try await address.ask("/?logout", ["Cookie: segue=\(other)"]).status == 200)
            let out = try await address.ask("/?logout", ["Cookie: segue=\(other)"], method: "POST", body: "")
            #expect(out.status == 303 && out.head.contains("segue=; "))
            #expect(try await address.ask("/a", ["Cookie: segue=\(other)"]).status == 401)
        }
    }

    @Test func `a session that is not used ends, and one that is used ends, too`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let token = try Self.token(
                try await address.ask("/?login", [Self.form], method: "POST", body: Self.right).head
            )
            let cookie = ["Cookie: segue=\(token)"]
            guarded.time.pass(Session.idleLimit - 1)
            #expect(try await address.ask("/a", cookie).status == 200)
            // That it was used is written down beside the answer.
            let written = Guarded.start + Session.idleLimit - 1
            while try guarded.store.book().session(try #require(AccessKey(token)), at: written)?.session.used != written
            {}
            guarded.time.pass(Session.idleLimit - 1)
            var other = try await address.ask("/a", cookie)
            while other.status == 401 { other = try await address.ask("/a", cookie) }
            #expect(other.status == 200)
            guarded.time.pass(Session.limit)
            #expect(try await address.ask("/a", cookie).status == 401)
        }
    }

    @Test func `a key in the place of the password leads to its address`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let answer = try await address.ask(
                "/?login",
                [Self.form],
                method: "POST",
                body: "name=&password=\(guarded.films.text)"
            )
            #expect(answer.status == 303 && answer.head.contains("Location: /k/\(guarded.films.text)/\r\n"))
        }
    }

    @Test func `wrong ones are told apart by nothing, slowed, and told of`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            var answers: [String] = []
            for name in ["%C3%84nne", "nobody"] {
                let answer = try await address.ask(
                    "/?login",
                    [Self.form],
                    method: "POST",
                    body: "name=\(name)&password=x"
                )
                #expect(answer.status == 401)
                answers.append(undated(answer.head) + answer.body)
            }
            #expect(answers[0] == answers[1] && answers[0].contains("do not go together"))
            for _ in 0..<3 { _ = try await address.ask("/a", [basic("nobody", "y")]) }
            let slowed = try await address.ask("/?login", [Self.form], method: "POST", body: Self.right)
            #expect(slowed.status == 429 && slowed.head.contains("Retry-After: 1\r\n"))
            // A player is told no more than that it is not let in.
            #expect(try await address.ask("/a", [basic("Änne", "s3cret:ü")]).status == 401)
            guarded.time.pass(1)
            #expect(try await address.ask("/?login", [Self.form], method: "POST", body: Self.right).status == 303)
            #expect(guarded.news.value.count == 7)
            #expect(guarded.news.value.first == .failedLogin(name: "Änne", address: "127.0.0.1", isLookedAt: true))
            #expect(guarded.news.value.last == .failedLogin(name: "Änne", address: "127.0.0.1", isLookedAt: false))
        }
    }

    @Test(arguments: [
        ["Origin: http://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
        ["Origin: null"],
        ["Sec-Fetch-Site: cross-site", "Origin: http://127.0.0.1"],
    ])
    func `a page of somebody else can log nobody in or out, nor change anything`(fields: [String]) async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let login = try await address.ask("/?login", [Self.form] + fields, method: "POST", body: Self.right)
            #expect(login.status == 403 && !login.head.contains("Set-Cookie"))
            let own = try await address.ask(
                "/?login",
                [Self.form, "Origin: http://\(address)", "Sec-Fetch-Site: same-origin"],
                method: "POST",
                body: Self.right
            )
            let cookie = "Cookie: segue=\(try Self.token(own.head))"
            for method in ["PUT", "DELETE", "POST", "PATCH"] {
                #expect(
                    try await address.ask("/api/resume/x", [cookie] + fields, method: method, body: "{}").status == 403
                )
                #expect(try await address.ask("/api/resume/x", [cookie], method: method, body: "{}").status == 200)
            }
            #expect(try await address.ask("/?logout", [cookie] + fields, method: "POST", body: "").status == 403)
            #expect(try await address.ask("/a", [cookie]).status == 200)
        }
    }

    @Test(arguments: ["", "name=x", "password", "name=%zz&password=x", String(repeating: "x", count: 9000)])
    func `what is no form is answered with the page, and nothing is looked at`(body: String) async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let answer = try await address.ask("/?login", [Self.form], method: "POST", body: body)
            #expect(answer.status == 400 && answer.body.contains("<form") && guarded.news.value.isEmpty)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Pages of other servers` {
    @Test(arguments: [([String](), false, false), (["https://player.example"], true, false), (["*"], true, true)])
    func `may read what they are named for`(named: [String], isRead: Bool, isReadByAll: Bool) async throws {
        let origins = try #require(CrossOrigin(named))
        let guarded = try Guarded(origins: origins)
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            for (origin, isAllowed) in [("https://player.example", isRead), ("https://evil.example", isReadByAll)] {
                let refusal = try await address.ask("/a", ["Origin: \(origin)"])
                #expect(refusal.status == 401 && refusal.head.contains("Access-Control-Allow-Origin") == isAllowed)
                let fields = ["Origin: \(origin)", "Access-Control-Request-Method: GET"]
                let question = try await address.ask("/a", fields, method: "OPTIONS")
                #expect(question.status == (isAllowed ? 204 : 401))
                #expect(question.head.contains("Access-Control-Allow-Headers") == isAllowed)
                let other = try await address.ask("/nothing", fields, method: "OPTIONS")
                #expect(undated(other.head) == undated(question.head))
            }
        }
    }

    @Test(arguments: ["player.example", "https://player.example/", "https://a b", "", "https://"])
    func `are named by their origin and nothing else`(name: String) { #expect(CrossOrigin([name]) == nil) }

    @Test func `are told nothing in an answer where none is named`() throws {
        #expect(CrossOrigin.none.fields(for: "https://evil.example").isEmpty)
        #expect(CrossOrigin.none.preflight(for: "https://evil.example").headers.map(\.name) == ["Allow"])
    }
}
