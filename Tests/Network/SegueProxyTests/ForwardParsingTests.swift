import SegueProxy
import Testing

@Suite struct `Requests to a forward proxy` {
    @Test(arguments: [
        (
            "GET http://films.example/a.ts?b HTTP/1.1\r\nHost: other\r\nProxy-Connection: keep-alive\r\nX: 1\r\n\r\n",
            "films.example", 80, "GET /a.ts?b HTTP/1.1\r\nHost: films.example\r\nX: 1\r\n\r\n"
        ),
        (
            "GET HTTP://me:pw@[::1]:8080?q#f HTTP/1.1\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n\r\n",
            "::1", 8080, "GET /?q HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n"
        ),
        (
            "POST http://A.example:81 HTTP/1.0\r\nProxy-Authorization: x\r\nConnection: Keep-Alive\r\nContent-Length: 3\r\n\r\n",
            "a.example", 81,
            "POST / HTTP/1.0\r\nHost: A.example:81\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\n"
        ),
        (
            "GET http://a.example/ HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n", "a.example", 80,
            "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
        ),
    ])
    func `a request is forwarded in the form for its server`(
        head: String,
        host: String,
        port: Int,
        forwarded: String
    ) {
        let request = ForwardRequest(Array(head.utf8))
        #expect(request == .fetch(Endpoint(host: host, port: port), head: Array(forwarded.utf8)))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 400), ("GET https://a.example/ HTTP/1.1\r\n\r\n", 400),
        ("GET http:///a HTTP/1.1\r\n\r\n", 400), ("GET http://a.example:0/ HTTP/1.1\r\n\r\n", 400),
        ("GET http://a.example:99999/ HTTP/1.1\r\n\r\n", 400), ("CONNECT a.example HTTP/1.1\r\n\r\n", 400),
        ("CONNECT a.example:0 HTTP/1.1\r\n\r\n", 400), ("CONNECT :443 HTTP/1.1\r\n\r\n", 400),
    ])
    func `rejects requests without a valid server`(head: String, status: Int) {
        guard case .refused(status, _) = ForwardRequest(Array(head.utf8)) else { return #expect(Bool(false)) }
    }

    @Test func `CONNECT names the server of a tunnel`() {
        let head = "CONNECT films.example:443 HTTP/1.1\r\nHost: films.example:443\r\n\r\n"
        #expect(ForwardRequest(Array(head.utf8)) == .tunnel(Endpoint(host: "films.example", port: 443)))
        #expect(ForwardRequest(Array("hello\r\n\r\n".utf8)) == nil)
    }

    private static let name = Array("films.example".utf8)

    @Test(arguments: [
        ([5, 1, 0, 1, 10, 0, 0, 7, 1, 187], "10.0.0.7", 443),
        ([5, 1, 0, 3, 13] + name + [0, 80], "films.example", 80),
        ([5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 31, 144], "0:0:0:0:0:0:0:1", 8080),
    ])
    func `SOCKS names a server by address or name, in any pieces`(bytes: [UInt8], host: String, port: Int) {
        var greeting = SocksGreeting()
        var input: [UInt8] = []
        var steps: [SocksGreeting.Step] = []
        // The following bytes are for the server, and stay.
        for byte in [5, 2, 1, 0] + bytes + [22] {
            input.append(byte)
            guard steps.last != .tunnel(Endpoint(host: host, port: port)) else { continue }
            let step = greeting.next(&input)
            if step != .more { steps.append(step) }
        }
        #expect(steps == [.reply([5, 0]), .tunnel(Endpoint(host: host, port: port))])
        #expect(input == [22])
    }

    @Test(
        arguments: [
            ([5, 1, 2], [5, 0xFF]), ([5, 1, 0, 5, 3, 0, 1, 1, 2, 3, 4, 0, 53], [5, 7, 0, 1, 0, 0, 0, 0, 0, 0]),
            ([5, 1, 0, 5, 2, 0, 1, 1, 2, 3, 4, 0, 53], [5, 7, 0, 1, 0, 0, 0, 0, 0, 0]),
            ([5, 1, 0, 5, 1, 0, 2, 1, 2], [5, 8, 0, 1, 0, 0, 0, 0, 0, 0]),
            ([5, 1, 0, 5, 1, 0, 3, 0, 0, 80], [5, 1, 0, 1, 0, 0, 0, 0, 0, 0]), ([5, 1, 0, 4, 1, 0, 1], []),
        ] as [([UInt8], [UInt8])]
    )
    func `rejects SOCKS with a password, for UDP, or with invalid data`(bytes: [UInt8], answer: [UInt8]) {
        var greeting = SocksGreeting()
        var input = bytes
        var step = greeting.next(&input)
        if case .reply = step { step = greeting.next(&input) }
        guard case .refuse(let said, _) = step else { return #expect(Bool(false)) }
        #expect(said == answer)
    }

    @Test func `allows named hosts and subdomains`() {
        #expect(ForwardRules().allows("anything.example"))
        let rules = ForwardRules(hosts: ["films.example", "*.cdn.example"])
        #expect(rules.allows("FILMS.example") && rules.allows("a.b.cdn.example"))
        #expect(
            !rules.allows("cdn.example") && !rules.allows("x*.cdn.example.evil") && !rules.allows("evilcdn.example")
                && !rules.allows("a.films.example")
        )
    }
}
