import Foundation
import Glibc
import SegueEvents
import SegueNetworkModel
import SegueProxy
import Testing

@Suite struct `Request log of a link` {
    private static let networks = [
        LinkProfile(
            name: "fast",
            down: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(2)),
            up: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(1))
        ),
        LinkProfile(
            name: "open",
            down: LinkProfile.Direction(rate: .unlimited),
            up: LinkProfile.Direction(rate: .unlimited)
        ),
    ]

    /// Answers each request of a connection with a playlist that names another server.
    private static func server() throws -> ThreadedServer {
        let playlist = "#EXTM3U\n#EXTINF:6,\nhttp://cdn.example/a.ts\n"
        return try ThreadedServer { socket in
            while true {
                guard !Sockets.head(socket).isEmpty else { return .close }
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(playlist.utf8.count)\r\n\r\n\(playlist)"
                guard Sockets.send(Array(answer.utf8), to: socket) else { return .close }
            }
        }
    }

    @Test(arguments: networks)
    func `contains the requests of each connection, and reports a bypassing playlist once`(
        network: LinkProfile
    ) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let told = Told(wantsRequests: true)
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        let bound = try await proxy.add(LinkPlan(name: "a", network: network, routes: [route]))
        let socket = try Sockets.connect(bound[0])
        for _ in 0..<2 {
            #expect(Sockets.send(Array("GET /a.m3u8 HTTP/1.1\r\nHost: \(bound[0])\r\n\r\n".utf8), to: socket))
            #expect(Sockets.head(socket).starts(with: "HTTP/1.1 200 OK".utf8))
            #expect(Sockets.receive(socket, most: 43).bytes.count == 43)
        }
        close(socket)
        await proxy.stop()
        var requests: [(number: Int, url: String, isReused: Bool, status: Int, end: String)] = []
        for case .linkRequest(_, 1, let number, "GET", let url, "", let isReused, let status, 43, _, _, "", let end)
            in told.events
        {
            requests.append((number, url, isReused, status, end))
        }
        #expect(requests.map(\.number) == [1, 2] && requests.map(\.isReused) == [false, true])
        #expect(requests.allSatisfy { $0.url == "http://\(bound[0])/a.m3u8" && $0.status == 200 && $0.end == "whole" })
        let kinds = told.kinds.filter { $0.hasPrefix("request.") }
        #expect(
            kinds == ["request.began", "request.answered", "request.finished"] + [
                "request.began", "request.answered", "request.finished",
            ]
        )
        #expect(told.kinds.count { $0 == "link.bypassed" } == 1)
        #expect(told.lines.count == 1 && told.lines[0].contains("names http://cdn.example/a.ts, which bypasses"))
    }

    @Test func `checks compressed playlists, and reports an unsupported coding once`() async throws {
        let text = Array("#EXTM3U\n#EXTINF:6,\nhttp://cdn.example/a.ts\n".utf8)
        let server = try ThreadedServer { socket in
            while true {
                let head = String(decoding: Sockets.head(socket), as: UTF8.self)
                guard let path = head.split(separator: " ").dropFirst().first else { return .close }
                let coding = path.hasPrefix("/b") ? "Backwards" : "br"
                let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(text.count)\r\n\r\n"
                guard Sockets.send(Array(answer.utf8) + text.reversed(), to: socket) else { return .close }
            }
        }
        defer { server.stop() }
        let told = Told(wantsRequests: true)
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        let bound = try await proxy.add(LinkPlan(name: "a", network: Self.networks[0], routes: [route]))
        let socket = try Sockets.connect(bound[0])
        for path in ["/u.m3u8", "/v.m3u8", "/b.m3u8"] {
            #expect(Sockets.send(Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8), to: socket))
            #expect(Sockets.head(socket).starts(with: "HTTP/1.1 200 OK".utf8))
            #expect(Sockets.receive(socket, most: text.count).bytes == Array(text.reversed()))
        }
        close(socket)
        await proxy.stop()
        #expect(
            told.lines == [
                "a: the playlist http://a/u.m3u8 is not checked, as its content coding br is not supported",
                "a: the playlist http://a/b.m3u8 names http://cdn.example/a.ts, which bypasses this link; use --proxy",
            ]
        )
    }

    @Test func `contains faults, and who ended an incomplete request`() async throws {
        let server = try ThreadedServer { socket in
            guard !Sockets.head(socket).isEmpty else { return .close }
            _ = Sockets.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789".utf8), to: socket)
            _ = Sockets.receive(socket)
            return .close
        }
        defer { server.stop() }
        let told = Told(wantsRequests: true)
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        var network = Self.networks[0]
        network.faults = [RequestFault(url: "/b", effect: .reset(after: 4))]
        let bound = try await proxy.add(LinkPlan(name: "a", network: network, routes: [route]))
        for path in ["/a", "/b"] {
            let socket = try Sockets.connect(bound[0])
            #expect(Sockets.send(Array("GET \(path) HTTP/1.1\r\n\r\n".utf8), to: socket))
            if path == "/a" {
                #expect(Sockets.receive(socket, most: 50).bytes.count == 50)
                Sockets.reset(socket)
            } else {
                #expect(Sockets.receive(socket).isReset)
                close(socket)
            }
        }
        // The log is complete when all connections have ended.
        while try await proxy.status("a").connections.open > 0 {}
        await proxy.stop()
        var found: [String] = []
        for case .linkRequest(_, _, _, _, let url, _, _, _, let bytes, _, _, let fault, let end) in told.events {
            found.append("\(url.suffix(2)) \(bytes) \(fault) \(end)")
        }
        #expect(found.sorted() == ["/a 10  cancelled", "/b 4 reset after 4 bytes reset by a fault"])
    }
}
