import Foundation
import FoundationNetworking
import Glibc
import SegueLink
import Testing

@Suite struct `A download over 3G` {
    @Test func `takes as long as the network requires`() async throws {
        let server = try FileServer(bytes: 50_000)
        defer { server.stop() }
        let seconds = try await withLink(network: "3g", to: server.address) { address in
            let start = ContinuousClock.now
            let url = try #require(URL(string: "http://\(address)/"))
            let (body, _) = try await URLSession.shared.data(from: url)
            #expect(body.count == 50_000)
            return (ContinuousClock.now - start) / .seconds(1)
        }
        // 50 kB on 780 kbit/s, after a handshake and a request of 200 ms each.
        #expect(seconds > 0.9)
    }
}

/// A stand-in for your own server: it answers every client with a number of bytes.
struct FileServer {
    let address: LinkAddress
    private let listener: Int32

    init(bytes: Int) throws {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isListening = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        address = .loopback(port: Int(UInt16(bigEndian: name.sin_port)))
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes)\r\nConnection: close\r\n\r\n"
        let answer = Array(head.utf8) + [UInt8](repeating: 7, count: bytes)
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                var request = [UInt8](repeating: 0, count: 4096)
                var sent = recv(client, &request, request.count, 0) > 0 ? 0 : answer.count
                while sent < answer.count {
                    let count = answer[sent...].withUnsafeBytes {
                        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    sent += count
                }
                close(client)
            }
        }
    }

    /// Closes the listener, which ends the thread.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
