import Foundation
import Glibc
import SegueBase
import SegueNetworkModel
import SegueProxy
import SegueTestSupport
import Testing

@Suite struct `Proxy` {
    private static let fast = LinkProfile(
        name: "fast",
        down: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(2)),
        up: LinkProfile.Direction(bitsPerSecond: 400_000_000, delay: .milliseconds(1))
    )
    private static let open = LinkProfile(
        name: "open",
        down: LinkProfile.Direction(rate: .unlimited),
        up: LinkProfile.Direction(rate: .unlimited)
    )
    private static let networks = [fast, open]

    /// Runs a proxy in front of a server during the body.
    private static func with(
        _ network: LinkProfile,
        _ server: Endpoint,
        listen: String = "127.0.0.1",
        told: Told = Told(),
        _ body: @Sendable @escaping (Endpoint) throws -> Void
    ) async throws {
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: listen, port: 0), server: server)
        do {
            let bound = try await proxy.add(LinkPlan(name: network.name, network: network, routes: [route]))
            try await Self.blocking { try body(bound[0]) }
        } catch {
            await proxy.stop()
            throw error
        }
        await proxy.stop()
    }

    /// Runs blocking work on its own thread.
    private static func blocking(_ body: @Sendable @escaping () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }

    private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(arguments: networks)
    func `changes no byte in pieces of any size, and keeps half-closed connections`(
        network: LinkProfile
    ) async throws {
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        try await Self.with(network, server.endpoint) { endpoint in
            let socket = try Sockets.connect(endpoint)
            defer { close(socket) }
            let said = Self.bytes(3_000_000, seed: 5)
            Thread {
                _ = Sockets.send(said, to: socket)
                shutdown(socket, Int32(SHUT_WR))
            }.start()
            let (heard, isReset) = Sockets.receive(socket)
            #expect(heard == said && !isReset)
        }
    }

    @Test(arguments: networks)
    func `works over IPv6 and with host names`(network: LinkProfile) async throws {
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        let named = Endpoint(host: "localhost", port: server.endpoint.port)
        try await Self.with(network, named, listen: "::1") { endpoint in
            let socket = try Sockets.connect(endpoint)
            defer { close(socket) }
            _ = Sockets.send(Array("hello".utf8), to: socket)
            #expect(Sockets.receive(socket, most: 5).bytes == Array("hello".utf8))
        }
    }

    /// Unread bytes stay with the server, and leave the line to the others.
    @Test func `delivers to a client that does not read only what its system would accept`() async throws {
        let line = LinkProfile(
            name: "line",
            down: LinkProfile.Direction(bitsPerSecond: 20_000_000, delay: .milliseconds(5)),
            up: LinkProfile.Direction(bitsPerSecond: 20_000_000, delay: .milliseconds(5))
        )
        let answer = Self.bytes(2_000_000, seed: 8)
        let server = try ThreadedServer { socket in
            var request = [UInt8](repeating: 0, count: 1)
            _ = recv(socket, &request, 1, 0)
            _ = Sockets.send(answer, to: socket)
            return .close
        }
        defer { server.stop() }
        let proxy = try LinkProxy()
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        let bound = try await proxy.add(LinkPlan(name: "a", network: line, routes: [route]))
        let unread = try Sockets.connect(bound[0])
        defer { close(unread) }
        _ = Sockets.send([1], to: unread)
        try await Self.blocking {
            let socket = try Sockets.connect(bound[0])
            defer { close(socket) }
            _ = Sockets.send([1], to: socket)
            #expect(Sockets.receive(socket).bytes == answer)
        }
        // 92 KiB, and more on a busy machine, as windows are announced late; without a limit all bytes arrive.
        let crossed = try await proxy.status("a").down.delivered - answer.count
        #expect(crossed <= 800_000)
        try await Self.blocking { #expect(Sockets.receive(unread).bytes == answer) }
        await proxy.stop()
    }

    @Test func `takes at least as long as the network`() async throws {
        let slow = LinkProfile(
            name: "slow",
            down: LinkProfile.Direction(bitsPerSecond: 4_000_000, delay: .milliseconds(30)),
            up: LinkProfile.Direction(bitsPerSecond: 4_000_000, delay: .milliseconds(20))
        )
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        try await Self.with(slow, server.endpoint) { endpoint in
            let begun = ContinuousClock.now
            let socket = try Sockets.connect(endpoint)
            defer { close(socket) }
            _ = Sockets.send(Self.bytes(100_000, seed: 6), to: socket)
            #expect(Sockets.receive(socket, most: 100_000).bytes.count == 100_000)
            // The handshake and a round trip, and the bytes on the line in both directions, which may overlap.
            #expect(ContinuousClock.now - begun > .milliseconds(100 + 200))
        }
    }

    @Test(arguments: networks)
    func `resets a client of an unreachable server, and reports it once`(
        network: LinkProfile
    ) async throws {
        let unheard = try UnheardPort()
        defer { withExtendedLifetime(unheard) {} }
        let nobody = Endpoint(host: "127.0.0.1", port: Int(unheard.port))
        let told = Told()
        try await Self.with(network, nobody, told: told) { endpoint in
            let socket = try Sockets.connect(endpoint)
            defer { close(socket) }
            #expect(Sockets.receive(socket).isReset)
        }
        #expect(told.lines.count == 1)
        #expect(told.lines.first?.contains("\(nobody): connection refused") == true)
        #expect(told.kinds == ["link.opened", "link.failed", "link.closed"])
    }

    @Test(arguments: networks)
    func `passes on resets in both directions`(network: LinkProfile) async throws {
        let (heard, tell) = AsyncStream.makeStream(of: Bool.self)
        let server = try ThreadedServer { socket in
            let first = Sockets.receive(socket, most: 1).bytes
            guard first != Array("s".utf8) else { return .reset }
            _ = Sockets.send(first, to: socket)
            tell.yield(Sockets.receive(socket).isReset)
            tell.finish()
            return .close
        }
        defer { server.stop() }
        try await Self.with(network, server.endpoint) { endpoint in
            let socket = try Sockets.connect(endpoint)
            _ = Sockets.send(Array("s".utf8), to: socket)
            #expect(Sockets.receive(socket).isReset)
            close(socket)
            let other = try Sockets.connect(endpoint)
            _ = Sockets.send(Array("c".utf8), to: other)
            _ = Sockets.receive(other, most: 1)
            Sockets.reset(other)
        }
        for await isReset in heard { #expect(isReset) }
    }

    @Test func `delivers all bytes before a reset, however late the client reads`() async throws {
        let answer = Self.bytes(1_000_000, seed: 9)
        let hasSent = DispatchSemaphore(value: 0)
        let server = try ThreadedServer { socket in
            // A small send buffer: the proxy has nearly all of the answer when the last call returns.
            var size: Int32 = 4096
            setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            _ = Sockets.send(answer, to: socket)
            hasSent.signal()
            return .reset
        }
        defer { server.stop() }
        try await Self.with(Self.open, server.endpoint) { endpoint in
            let socket = try Sockets.connect(endpoint)
            defer { close(socket) }
            hasSent.wait()
            let (heard, isReset) = Sockets.receive(socket)
            #expect(isReset && heard.count > 900_000 && heard == Array(answer.prefix(heard.count)))
        }
    }

    @Test func `connections survive a change of the network`() async throws {
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        let told = Told()
        let proxy = try LinkProxy(observer: told.observer)
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        let bound = try await proxy.add(LinkPlan(name: "a", network: Self.open, routes: [route]))
        let socket = try Sockets.connect(bound[0])
        defer { close(socket) }
        for (number, network) in [Self.open, Self.fast, Self.open, Self.fast].enumerated() {
            let said = Self.bytes(500_000, seed: UInt64(number))
            Thread { _ = Sockets.send(said, to: socket) }.start()
            // Bytes are in flight before, during, and after the change.
            try await Self.blocking {
                #expect(Sockets.receive(socket, most: 200_000).bytes == Array(said.prefix(200_000)))
            }
            try await proxy.change("a", to: network)
            try await Self.blocking {
                #expect(Sockets.receive(socket, most: 300_000).bytes == Array(said.suffix(300_000)))
            }
        }
        let status = try await proxy.status("a")
        #expect(status.connections.open == 1 && status.network.name == "fast")
        #expect(status.down.delivered == 2_000_000 && status.up.delivered == 2_000_000)
        try await proxy.remove("a")
        #expect(try await proxy.status().isEmpty)
        #expect(Sockets.receive(socket).isReset)
        await proxy.stop()
        #expect(told.kinds.filter { $0 == "link.changed" }.count == 4 && told.kinds.last == "link.closed")
    }

    @Test(arguments: networks)
    func `added faults apply to the next request of an existing connection`(
        network: LinkProfile
    ) async throws {
        let server = try ThreadedServer { socket in
            while true {
                guard !Sockets.head(socket).isEmpty else { return .close }
                guard Sockets.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8), to: socket) else {
                    return .close
                }
            }
        }
        defer { server.stop() }
        let proxy = try LinkProxy()
        let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server.endpoint)
        let bound = try await proxy.add(LinkPlan(name: "a", network: network, routes: [route]))
        let socket = try Sockets.connect(bound[0])
        defer { close(socket) }
        let refused = RequestFault(effect: .status(503))
        for (faults, status) in [([], "200 OK"), ([refused], "503 Fault"), ([], "200 OK"), ([refused], "503 Fault")] {
            try await proxy.setFaults(faults, of: "a")
            try await Self.blocking {
                #expect(Sockets.send(Array("GET /a.ts HTTP/1.1\r\nHost: x\r\n\r\n".utf8), to: socket))
                var answer = ""
                while !answer.hasSuffix("ok"), !answer.hasSuffix("say.\n") {
                    let byte = Sockets.receive(socket, most: 1).bytes
                    guard !byte.isEmpty else { break }
                    answer += String(decoding: byte, as: UTF8.self)
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
            }
        }
        #expect(try await proxy.status("a").faults == 2)
        await proxy.stop()
    }

    @Test func `reports the port in use`() async throws {
        let (listener, taken) = try Sockets.listener()
        defer { close(listener) }
        let proxy = try LinkProxy()
        let route = LinkPlan.Route(listen: taken, server: taken)
        await #expect {
            _ = try await proxy.add(LinkPlan(name: "x", network: Self.open, routes: [route]))
        } throws: { error in
            (error as? ProxyError)?.reason == .addressInUse && "\(error)".hasPrefix("\(taken): the port is in use")
        }
        await proxy.stop()
    }

    @Test func `many connections share a link, and each receives its own bytes`() async throws {
        let server = try ThreadedServer.echo()
        defer { server.stop() }
        try await Self.with(Self.fast, server.endpoint) { endpoint in
            let sockets = try (0..<200).map { _ in try Sockets.connect(endpoint) }
            for (number, socket) in sockets.enumerated() {
                #expect(Sockets.send(Self.bytes(3000, seed: UInt64(number)), to: socket))
            }
            for (number, socket) in sockets.enumerated() {
                #expect(Sockets.receive(socket, most: 3000).bytes == Self.bytes(3000, seed: UInt64(number)))
                close(socket)
            }
        }
    }
}
