import Foundation
import Glibc
import SegueBase
import SegueNetworkModel
import SegueProxy
import Testing

@Suite struct `Invalid bytes` {
    /// Valid and invalid pieces of messages, from which garbage is assembled.
    private static let pieces: [[UInt8]] =
        [
            "GET http://127.0.0.1:1/ HTTP/1.1\r\n", "GET / HTTP/1.1\r\n", "CONNECT a:1 HTTP/1.1\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n", "HTTP/1.0 304\r\n\r\n", "\r\n", "\r\n\r\n", "\n",
            " ", ":",
            "Content-Length: 5\r\n", "Content-Length: -5\r\n", "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: chunked\r\n", "ffffffffffffffffff\r\n", "5\r\nabcde\r\n", "0\r\n\r\n",
            "Connection: close\r\n",
            "Host: x\r\n", "Content-Type: application/x-mpegurl\r\n", "http://a:b:c/", "\u{0}", "é",
        ].map { Array($0.utf8) } + [
            [22, 3, 1, 255, 255], [22, 3, 1, 0, 5, 1, 0, 0, 1, 3], [5, 1, 0], [5, 1, 0, 3, 255],
            [5, 1, 0, 1, 127, 0, 0, 1, 0, 1],
            [4, 1], [0xFF, 0xFE],
        ]

    private static func nonsense(_ random: inout SeededRandom) -> [UInt8] {
        (0..<Int(random.next() % 12)).flatMap { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
    }

    @Test func `leave no request open`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<5000 {
            var watch = ExchangeWatch(keepsPlaylists: true)
            var (asked, ended) = (0, 0)
            func count(_ news: [ExchangeWatch.News]) {
                for one in news {
                    switch one {
                    case .asked: asked += 1
                    case .ended: ended += 1
                    case .answered, .unread, .playlist: break
                    }
                }
            }
            for _ in 0..<6 {
                let bytes = Self.nonsense(&random)
                let isUp = random.next() % 2 == 0
                bytes.withUnsafeBytes { bytes in
                    count(isUp ? watch.sent(bytes, to: "s:1", at: .zero) { 1 } : watch.got(bytes, at: .zero))
                }
            }
            count(watch.answersEnded())
            count(watch.over(isGivenUp: false, ""))
            #expect(asked == ended && !watch.isBusy)
        }
    }

    @Test func `name no invalid server`() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<5000 {
            var greeting = SocksGreeting()
            var bytes = Self.nonsense(&random)
            for _ in 0..<3 {
                guard case .tunnel(let server) = greeting.next(&bytes) else { continue }
                #expect((1...65535).contains(server.port) && !server.host.isEmpty)
            }
            _ = ForwardRequest(bytes)
            _ = PlaylistServers.named(in: bytes)
        }
    }

    @Test func `affect no other client of a forward proxy`() async throws {
        let network = LinkProfile(
            name: "open",
            down: LinkProfile.Direction(rate: .unlimited),
            up: LinkProfile.Direction(rate: .unlimited)
        )
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        let proxy = try LinkProxy()
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: nil)
        let rules = ForwardRules(hosts: ["127.0.0.1"])
        let bound = try await proxy.add(LinkPlan(name: "a", network: network, routes: [route], forwarding: rules))
        var random = SeededRandom(seed: 13)
        let heaps = (0..<300).map { _ in Self.nonsense(&random) }
        await withCheckedContinuation { continuation in
            Thread {
                for (number, bytes) in heaps.enumerated() {
                    guard let socket = try? Sockets.connect(bound[0]) else { continue }
                    _ = Sockets.send(bytes, to: socket)
                    if number % 2 == 0 { Sockets.reset(socket) } else { close(socket) }
                }
                continuation.resume()
            }.start()
        }
        let socket = try Sockets.connect(bound[0])
        #expect(Sockets.send(Array("CONNECT \(server.endpoint) HTTP/1.1\r\n\r\nhello".utf8), to: socket))
        #expect(String(decoding: Sockets.head(socket), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        #expect(Sockets.receive(socket, most: 5).bytes == Array("hello".utf8))
        close(socket)
        await proxy.stop()
    }
}
