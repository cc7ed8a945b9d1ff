import Foundation
import Glibc
import SegueBase
import SegueEvents
import SegueProxy
import Synchronization

/// Sockets for tests of the proxy, with plain blocking calls.
enum Sockets {
    /// Creates a listener on a free port of the loopback interface.
    static func listener(_ host: String = "127.0.0.1") throws -> (descriptor: Int32, endpoint: Endpoint) {
        let isIPv6 = host.contains(":")
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var bytes = address(Endpoint(host: host, port: 0))
        var size = socklen_t(bytes.count)
        let port: UInt16 = bytes.withUnsafeMutableBytes { raw in
            guard let pointer = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(descriptor, pointer, size) == 0, listen(descriptor, 1024) == 0,
                getsockname(descriptor, pointer, &size) == 0
            else { return 0 }
            return UInt16(bigEndian: raw.load(fromByteOffset: 2, as: UInt16.self))
        }
        guard port > 0 else { throw POSIXError(.EADDRINUSE) }
        return (descriptor, Endpoint(host: host, port: Int(port)))
    }

    /// Connects to an endpoint.
    static func connect(_ endpoint: Endpoint) throws -> Int32 {
        let isIPv6 = endpoint.host.contains(":")
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bytes = address(endpoint)
        let code = bytes.withUnsafeBytes { raw in
            raw.baseAddress.map {
                Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
            } ?? -1
        }
        guard code == 0 else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
        return descriptor
    }

    /// Sends bytes in pieces of random sizes; returns false if the other end has closed.
    static func send(_ bytes: [UInt8], to descriptor: Int32, pieces: ClosedRange<Int> = 1...70_000) -> Bool {
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + Int.random(in: pieces))
            let sent = bytes[position..<end].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            position += sent
        }
        return true
    }

    /// Reads until the end, or a number of bytes.
    ///
    /// - Returns: The bytes, and whether the end was a reset.
    static func receive(_ descriptor: Int32, most: Int = .max) -> (bytes: [UInt8], isReset: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count < most {
            let count = recv(descriptor, &buffer, min(buffer.count, most - bytes.count), 0)
            guard count > 0 else { return (bytes, count < 0) }
            bytes += buffer[..<count]
        }
        return (bytes, false)
    }

    /// Reads the head of a message; empty if the other end has closed.
    static func head(_ descriptor: Int32) -> [UInt8] {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = receive(descriptor, most: 1).bytes
            guard !byte.isEmpty else { return [] }
            head += byte
        }
        return head
    }

    /// Closes with a reset.
    static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    private static func address(_ endpoint: Endpoint) -> [UInt8] {
        let port = UInt16(endpoint.port).bigEndian
        if endpoint.host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            inet_pton(AF_INET6, endpoint.host, &address.sin6_addr)
            return withUnsafeBytes(of: &address) { Array($0) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port
        inet_pton(AF_INET, endpoint.host, &address.sin_addr)
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}

/// A server that runs a closure for each connection on its own thread.
final class ThreadedServer: Sendable {
    let endpoint: Endpoint
    private let listener: Int32

    /// The end of a connection.
    enum Ending { case close, reset }

    init(_ host: String = "127.0.0.1", _ serve: @escaping @Sendable (Int32) -> Ending) throws {
        let (listener, endpoint) = try Sockets.listener(host)
        (self.listener, self.endpoint) = (listener, endpoint)
        Thread {
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                Thread {
                    switch serve(socket) {
                    case .close: close(socket)
                    case .reset: Sockets.reset(socket)
                    }
                }.start()
            }
            close(listener)
        }.start()
    }

    /// Closes the listener.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// A server that returns all bytes, and closes after the client.
    static func echo(_ host: String = "127.0.0.1") throws -> ThreadedServer {
        try ThreadedServer(host) { socket in
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 {
                guard Sockets.send(Array(buffer[..<count]), to: socket) else { return .close }
            }
            shutdown(socket, Int32(SHUT_WR))
            return .close
        }
    }
}

/// The events that an observer received.
final class Told: Sendable {
    private let wantsRequests: Bool
    private let told = Mutex<(events: [EventKind], lines: [String])>(([], []))

    init(wantsRequests: Bool = false) { self.wantsRequests = wantsRequests }

    var lines: [String] { told.withLock { $0.lines } }

    var events: [EventKind] { told.withLock { $0.events } }

    var kinds: [String] { events.map(\.name) }

    var observer: ProxyObserver {
        ProxyObserver(
            wantsRequests: wantsRequests,
            event: { [self] kind in told.withLock { $0.events.append(kind) } },
            line: { [self] line in told.withLock { $0.lines.append(line) } },
            decoded: { bytes, coding, most in coding == "backwards" ? Array(bytes.reversed().prefix(most)) : nil }
        )
    }
}
