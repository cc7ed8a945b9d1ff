import Foundation
import Glibc
import SegueEvents
import SegueNetworkModel
import SegueProxy
import SegueTestSupport
import Testing

@Suite struct `Forward proxy` {
    private static let network = LinkProfile(
        name: "near",
        down: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(20)),
        up: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(10))
    )
    private static let open = LinkProfile(
        name: "open",
        down: LinkProfile.Direction(rate: .unlimited),
        up: LinkProfile.Direction(rate: .unlimited)
    )

    /// A label of a name has at most 63 letters, so the system rejects this one without a query.
    private static let noName = String(repeating: "a", count: 64) + ".example"

    /// Runs a forward proxy during the body.
    private static func with(
        _ network: LinkProfile = network,
        _ rules: ForwardRules = ForwardRules(),
        told: Told = Told(),
        _ body: @Sendable @escaping (Endpoint) throws -> Void
    ) async throws {
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: nil)
        let plan = LinkPlan(name: "a", network: network, routes: [route], forwarding: rules)
        do {
            let bound = try await proxy.add(plan)
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread { continuation.resume(with: Result { try body(bound[0]) }) }.start()
            }
        } catch {
            await proxy.stop()
            throw error
        }
        await proxy.stop()
    }

    /// Answers each request with its first line.
    private static func saying() throws -> ThreadedServer {
        try ThreadedServer { socket in
            while true {
                let head = String(decoding: Sockets.head(socket), as: UTF8.self)
                guard let line = head.split(separator: "\r\n").first else { return .close }
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(line.utf8.count)\r\n\r\n\(line)"
                guard Sockets.send(Array(answer.utf8), to: socket) else { return .close }
            }
        }
    }

    /// The head and body of a response with a length.
    private static func answer(_ socket: Int32) -> (head: String, body: String) {
        let head = String(decoding: Sockets.head(socket), as: UTF8.self)
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst(16)) }
        return (head, String(decoding: Sockets.receive(socket, most: length ?? 0).bytes, as: UTF8.self))
    }

    @Test(arguments: [network, open])
    func `fetches from several servers over one connection, and keeps one to each`(network: LinkProfile) async throws {
        let servers = [try Self.saying(), try Self.saying()]
        defer { for server in servers { server.stop() } }
        let told = Told()
        try await Self.with(network, told: told) { proxy in
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            for turn in 0..<6 {
                let server = servers[turn % 2].endpoint
                let host = turn % 2 == 0 ? "\(server)" : "localhost:\(server.port)"
                #expect(Sockets.send(Array("GET http://\(host)/\(turn) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), to: socket))
                #expect(Self.answer(socket).body == "GET /\(turn) HTTP/1.1")
            }
        }
        #expect(told.kinds.count { $0 == "link.opened" } == 2 && told.lines.isEmpty)
        let urls = told.events.compactMap { if case .requestBegan(_, let url, _) = $0 { url } else { nil } }
        #expect(urls.count == 6 && urls[0] == "http://\(servers[0].endpoint)/0")
        #expect(urls[1] == "http://localhost:\(servers[1].endpoint.port)/1")
    }

    @Test func `handles pipelined requests in order, with bodies of any kind`() async throws {
        let server = try ThreadedServer { socket in
            // Two requests with bodies, and then a third response until the end of the connection.
            for length in [70_000, 3 + 5 + 5] {
                guard !Sockets.head(socket).isEmpty, Sockets.receive(socket, most: length).bytes.count == length,
                    Sockets.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8), to: socket)
                else { return .close }
            }
            guard !Sockets.head(socket).isEmpty else { return .close }
            _ = Sockets.send(Array("HTTP/1.1 200 OK\r\n\r\nto the end".utf8), to: socket)
            return .close
        }
        defer { server.stop() }
        try await Self.with { proxy in
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            let url = "http://\(server.endpoint)/"
            var said = Array("PUT \(url) HTTP/1.1\r\nContent-Length: 70000\r\n\r\n".utf8)
            said += [UInt8](repeating: 65, count: 70_000)
            said += Array("PUT \(url) HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
            said += Array("GET \(url) HTTP/1.1\r\n\r\n".utf8)
            let all = said
            Thread { _ = Sockets.send(all, to: socket) }.start()
            #expect(Self.answer(socket).body == "ok" && Self.answer(socket).body == "ok")
            let (bytes, isReset) = Sockets.receive(socket)
            #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\nto the end") && !isReset)
        }
    }

    /// The bytes that request a tunnel, and the expected answer.
    private static func openings(_ server: Endpoint) -> [(says: [UInt8], hears: [UInt8])] {
        let port = [UInt8(server.port >> 8), UInt8(server.port & 255)]
        let name = Array("localhost".utf8)
        let there: [UInt8] = [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        return [
            (
                Array("CONNECT \(server) HTTP/1.1\r\n\r\n".utf8),
                Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
            ),
            ([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1] + port, there),
            ([5, 2, 0, 2, 5, 1, 0, 3, UInt8(name.count)] + name + port, there),
        ]
    }

    @Test(arguments: 0..<3)
    func `opens a tunnel after the handshake over the network, and changes no byte`(opening: Int) async throws {
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        try await Self.with { proxy in
            let (says, hears) = Self.openings(server.endpoint)[opening]
            let said = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) }
            let begun = ContinuousClock.now
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            // Some bytes arrive before the tunnel is established.
            Thread {
                _ = Sockets.send(says + said, to: socket)
                shutdown(socket, Int32(SHUT_WR))
            }.start()
            #expect(Sockets.receive(socket, most: hears.count).bytes == hears)
            #expect(ContinuousClock.now - begun >= .milliseconds(30))
            let (heard, isReset) = Sockets.receive(socket)
            #expect(heard == said && !isReset)
            #expect(ContinuousClock.now - begun >= .milliseconds(60))
        }
    }

    @Test func `reaches servers over IPv6`() async throws {
        let server = try ThreadedServer.echo("::1")
        defer { server.stop() }
        let port = [UInt8(server.endpoint.port >> 8), UInt8(server.endpoint.port & 255)]
        try await Self.with { proxy in
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            let address = [UInt8](repeating: 0, count: 15) + [1]
            #expect(Sockets.send([5, 1, 0, 5, 1, 0, 4] + address + port + Array("hello".utf8), to: socket))
            #expect(Sockets.receive(socket, most: 12).bytes[3] == 0)
            #expect(Sockets.receive(socket, most: 5).bytes == Array("hello".utf8))
        }
    }

    @Test func `reports failures in the client's protocol`() async throws {
        let unheard = try UnheardPort()
        defer { withExtendedLifetime(unheard) {} }
        let nobody = Endpoint(host: "127.0.0.1", port: Int(unheard.port))
        let port = [UInt8(nobody.port >> 8), UInt8(nobody.port & 255)]
        let told = Told()
        try await Self.with(Self.network, ForwardRules(hosts: ["127.0.0.1", Self.noName]), told: told) { proxy in
            let talks: [(says: [UInt8], hears: [UInt8])] = [
                (Array("GET http://\(nobody)/ HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 502 ".utf8)),
                (Array("CONNECT \(nobody) HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 502 ".utf8)),
                ([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1] + port, [5, 0, 5, 5]),
                (Array("GET http://\(Self.noName)/ HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 502 ".utf8)),
                ([5, 1, 0, 5, 1, 0, 3, UInt8(Self.noName.utf8.count)] + Array(Self.noName.utf8) + port, [5, 0, 5, 4]),
                (Array("GET http://localhost/ HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 403 ".utf8)),
                (Array("GET / HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 400 ".utf8)),
                (Array("what?\r\n\r\n".utf8), Array("HTTP/1.1 400 ".utf8)), ([5, 1, 2], [5, 255]),
                ([4, 1, 0, 80, 1, 2, 3, 4, 0], []),
            ]
            for (says, hears) in talks {
                let socket = try Sockets.connect(proxy)
                #expect(Sockets.send(says, to: socket))
                let heard = Sockets.receive(socket).bytes
                #expect(Array(heard.prefix(hears.count)) == hears, "\(says.prefix(20))")
                #expect(!heard.isEmpty || hears.isEmpty)
                close(socket)
            }
        }
        #expect(told.kinds.count { $0 == "link.failed" } == 3)
    }

    @Test func `a refused client gets the response, whatever it still sends`() async throws {
        try await Self.with(Self.network, ForwardRules(hosts: ["example.com"])) { proxy in
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            let head = Array("PUT http://127.0.0.1:9/ HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n".utf8)
            #expect(Sockets.send(head + [UInt8](repeating: 1, count: 3_000_000), to: socket))
            let (heard, isReset) = Sockets.receive(socket)
            #expect(heard.starts(with: "HTTP/1.1 403 ".utf8) && !isReset)
        }
    }

    @Test(arguments: [(true, Duration.zero, 1), (true, .milliseconds(1), 0), (false, .zero, 0)])
    func `a name costs a DNS query over the network, unless configured otherwise`(
        shapesNames: Bool,
        dns: Duration,
        packets: Int
    ) async throws {
        var network = Self.network
        network.dns = dns
        let proxy = try LinkProxy()
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: nil)
        let rules = ForwardRules(shapesNames: shapesNames)
        let bound = try await proxy.add(LinkPlan(name: "a", network: network, routes: [route], forwarding: rules))
        let socket = try Sockets.connect(bound[0])
        #expect(Sockets.send(Array("GET http://\(Self.noName)/ HTTP/1.1\r\n\r\n".utf8), to: socket))
        #expect(Sockets.receive(socket).bytes.starts(with: "HTTP/1.1 502 ".utf8))
        close(socket)
        let status = try await proxy.status("a")
        #expect(status.up.counts.packets == packets && status.down.counts.packets == packets)
        await proxy.stop()
    }

    @Test func `refuses to connect to itself`() async throws {
        let told = Told()
        try await Self.with(told: told) { proxy in
            let socket = try Sockets.connect(proxy)
            defer { close(socket) }
            let inner = "GET http://\(proxy)/ HTTP/1.1\r\n\r\n"
            #expect(Sockets.send(Array("CONNECT \(proxy) HTTP/1.1\r\n\r\n\(inner)".utf8), to: socket))
            let received = String(decoding: Sockets.receive(socket).bytes, as: UTF8.self)
            #expect(received.starts(with: "HTTP/1.1 502 ") && received.split(separator: "HTTP/1.1 ").count == 1)
        }
        #expect(told.lines.contains { $0.contains("connect to itself") })
    }

    @Test func `a client's end closes its connections`() async throws {
        let (ended, tell) = AsyncStream.makeStream(of: Int.self)
        let server = try ThreadedServer { socket in
            guard !Sockets.head(socket).isEmpty else { return .close }
            _ = Sockets.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789".utf8), to: socket)
            tell.yield(Sockets.receive(socket).bytes.count)
            tell.finish()
            return .close
        }
        defer { server.stop() }
        let told = Told()
        try await Self.with(told: told) { proxy in
            let socket = try Sockets.connect(proxy)
            #expect(Sockets.send(Array("GET http://\(server.endpoint)/a HTTP/1.1\r\n\r\n".utf8), to: socket))
            #expect(!Sockets.head(socket).isEmpty && Sockets.receive(socket, most: 10).bytes.count == 10)
            Sockets.reset(socket)
        }
        for await count in ended { #expect(count == 0) }
        let ends = told.events.compactMap { if case .requestCancelled(_, let bytes) = $0 { bytes } else { nil } }
        #expect(ends == [10] || told.kinds.contains("request.failed"))
    }
}
