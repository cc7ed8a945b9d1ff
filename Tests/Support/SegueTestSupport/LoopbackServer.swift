internal import Foundation
internal import Glibc

/// A server on the loopback interface that does with each request what a script says, however unlike HTTP.
///
/// It listens on a port that the system picks, and serves each connection on a thread of its own, until it is stopped.
package final class LoopbackServer: @unchecked Sendable {
    // `sockets`, `closes` and `heads` are only touched with `condition` locked; the rest never changes.

    /// What to do next on a connection.
    package enum Step: Sendable {
        /// Sends bytes.
        case send([UInt8])
        /// Sends bytes again and again until the client has gone.
        case sendForever([UInt8])
        /// Sends nothing and waits until the client has gone.
        case stall
        /// Closes the connection.
        case close
        /// Closes the connection with a reset.
        case reset
    }

    /// A request as it came.
    package struct Request: Sendable {
        /// The request line and the header fields, as they were sent.
        package let head: String
        /// What its `Content-Length` announced.
        package let body: [UInt8]
        /// The number of the connection that it came over, counted from 1.
        package let connection: Int

        /// The value of a header field, by its name in lower case; nil where there is none.
        package func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name + ":") {
                return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    /// The port.
    package let port: UInt16

    private let listener: Int32
    private let script: @Sendable (Request) -> [Step]
    private let condition = NSCondition()
    private var sockets: Set<Int32> = []
    private var closes = 0
    private var heads: [String] = []

    /// A server that is ready for connections.
    ///
    /// - Parameter script: What to do with a request, by its target (such as `/a?b`).
    /// - Throws: A POSIX error when there is no socket to be had.
    package convenience init(_ script: @escaping @Sendable (_ target: String) -> [Step]) throws {
        try self.init(requests: { request in
            let words = request.head.split(separator: " ")
            return script(words.count > 1 ? String(words[1]) : "")
        })
    }

    /// A server that is ready for connections.
    ///
    /// - Parameter script: What to do with a request, by its head and its body.
    /// - Returns: The server.
    /// - Throws: A POSIX error when there is no socket to be had.
    package static func answering(_ script: @escaping @Sendable (Request) -> [Step]) throws -> LoopbackServer {
        try LoopbackServer(requests: script)
    }

    private init(requests script: @escaping @Sendable (Request) -> [Step]) throws {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw POSIXError(.EMFILE) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        // The thread keeps the server until it is stopped.
        Thread { [self] in
            var count = 0
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                count += 1
                serve(socket, number: count)
            }
            Glibc.close(listener)
        }.start()
    }

    /// An absolute URL on the server.
    package func url(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }

    /// The heads of the requests so far.
    package var requests: [String] {
        condition.lock()
        defer { condition.unlock() }
        return heads
    }

    /// Waits until so many connections have ended because the client closed them; false when it takes half a minute.
    package func waitForCloses(_ count: Int) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while closes < count { guard condition.wait(until: deadline) else { return false } }
        return true
    }

    /// Ends all connections and listens no more.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        condition.lock()
        for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        condition.unlock()
    }

    private func serve(_ socket: Int32, number: Int) {
        condition.lock()
        sockets.insert(socket)
        condition.unlock()
        Thread { [self] in
            let isClosedByClient = talk(socket, number: number)
            condition.lock()
            sockets.remove(socket)
            if isClosedByClient { closes += 1 }
            condition.broadcast()
            condition.unlock()
            Glibc.close(socket)
        }.start()
    }

    /// Serves requests until the connection ends; true when the client ended it.
    private func talk(_ socket: Int32, number: Int) -> Bool {
        while let head = readHead(socket) {
            condition.lock()
            heads.append(head)
            condition.unlock()
            let size = Request(head: head, body: [], connection: number).header("content-length").flatMap { Int($0) }
            for step in script(Request(head: head, body: readBody(socket, size ?? 0), connection: number)) {
                switch step {
                case .send(let bytes): guard send(bytes, socket) else { return true }
                case .sendForever(let bytes): while send(bytes, socket) {}
                case .stall:
                    var byte: UInt8 = 0
                    while recv(socket, &byte, 1, 0) > 0 {}
                    return true
                case .close: return false
                case .reset:
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                    return false
                }
            }
        }
        return true
    }

    private func readHead(_ socket: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(socket, &byte, 1, 0) == 1, bytes.count < 65536 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func readBody(_ socket: Int32, _ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < min(size, 1 << 20), recv(socket, &byte, 1, 0) == 1 { bytes.append(byte) }
        return bytes
    }

    private func send(_ bytes: [UInt8], _ socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
