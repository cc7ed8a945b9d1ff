import Foundation
import SegueAccess
import SegueOrigin
import Testing

@testable import SegueServer

@Suite struct `Logging in` {
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

    @Test func `a browser gets the same page for every path`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let page = try await address.ask("/", Self.html)
            #expect(page.status == 401 && page.head.contains("Content-Type: text/html"))
            // Without a referrer browsers send the form with "Origin: null", like a page of another origin.
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
            #expect(again.status == 401 && again.body.contains("Schlüssel ist falsch"))
            let none = try await address.ask("/?language=%3Cb%3E", Self.html).body
            #expect(none == page.body)
        }
    }

    @Test func `each login has a new token and leads to the requested address`() async throws {
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

    @Test func `a session ends without use, and at its maximum age`() async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let token = try Self.token(
                try await address.ask("/?login", [Self.form], method: "POST", body: Self.right).head
            )
            let cookie = ["Cookie: segue=\(token)"]
            guarded.time.pass(Session.idleLimit - 1)
            #expect(try await address.ask("/a", cookie).status == 200)
            // The last use is stored concurrently with the response.
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

    @Test func `a key in the password field leads to its address`() async throws {
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

    @Test func `failures look alike, are delayed, and are reported`() async throws {
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
            #expect(answers[0] == answers[1] && answers[0].contains("Wrong name, password, or key."))
            for _ in 0..<3 { _ = try await address.ask("/a", [basicField("nobody", "y")]) }
            let slowed = try await address.ask("/?login", [Self.form], method: "POST", body: Self.right)
            #expect(slowed.status == 429 && slowed.head.contains("Retry-After: 1\r\n"))
            // A player only learns that it has no access.
            #expect(try await address.ask("/a", [basicField("Änne", "s3cret:ü")]).status == 401)
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
    func `pages of other origins cannot log in or out, nor change anything`(fields: [String]) async throws {
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

    @Test func `a flood of failures is counted and not listed`() {
        var budget = NewsBudget()
        let first = (0..<1000).map { _ in budget.take(at: 5) }
        #expect(first == [Int?](repeating: 0, count: 50) + [Int?](repeating: nil, count: 950))
        #expect(budget.take(at: 6) == 950 && budget.take(at: 6) == nil)
        // It recovers after the flood.
        #expect((0..<60).map { _ in budget.take(at: 1000) }.count { $0 != nil } == 50)
    }

    @Test(arguments: ["", "name=x", "password", "name=%zz&password=x", String(repeating: "x", count: 9000)])
    func `a malformed form gets the page without a password check`(body: String) async throws {
        let guarded = try Guarded()
        try await withServer(threads: 2, door: guarded.door, Guarded.who) { address in
            let answer = try await address.ask("/?login", [Self.form], method: "POST", body: body)
            #expect(answer.status == 400 && answer.body.contains("<form") && guarded.news.value.isEmpty)
        }
    }
}
