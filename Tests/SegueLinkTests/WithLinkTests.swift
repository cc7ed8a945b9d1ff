import Foundation
import FoundationNetworking
import Glibc
import Proxy
import SegueLink
import TestSupport
import Testing

/// A server of one file, for the example.
struct FileServer {
    private let server: LoopbackServer

    init(bytes: Int) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes)\r\n\r\n"
        server = try LoopbackServer { _ in [.send(Array(head.utf8) + [UInt8](repeating: 7, count: bytes))] }
    }

    /// Where it listens.
    var address: LinkAddress { LinkAddress(host: "127.0.0.1", port: Int(server.port)) }

    /// Serves no more.
    func stop() { server.stop() }
}

@Suite(.timeLimit(.minutes(1))) struct `With a link` {
    @Test func `the example of the documentation is the one that is compiled`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let example = root.appending(path: "Tests/SegueLinkTests/WithLinkExample.swift")
        let page = try String(contentsOf: root.appending(path: "docs/link.md"), encoding: .utf8)
        #expect(page.contains("```swift\n" + (try String(contentsOf: example, encoding: .utf8)) + "```\n"))
    }

    @Test func `a network may be described in place, and nothing listens when the work is done`() async throws {
        let server = try FileServer(bytes: 1000)
        defer { server.stop() }
        let network = LinkNetwork.yaml("{ name: own, down: { delay: 20 ms }, up: { delay: 20 ms } }")
        let address = try await withLink(network: network, to: server.address) { address in
            let url = try #require(URL(string: "http://\(address)/"))
            #expect(try await URLSession.shared.data(from: url).0.count == 1000)
            return address
        }
        // A program that another test starts at this moment holds the listener until it is running.
        while Self.listens(address) {}
    }

    private static func listens(_ address: LinkAddress) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(address.port).bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    @Test func `what the work throws comes out`() async throws {
        struct Failure: Error {}
        let server = LinkAddress(host: "127.0.0.1", port: 1)
        await #expect(throws: Failure.self) {
            try await withLink(network: "lte", to: server) { _ in throw Failure() }
        }
    }

    @Test func `an unknown network is named with the nearest`() async throws {
        let server = LinkAddress(host: "127.0.0.1", port: 1)
        await #expect {
            try await withLink(network: "3gg", to: server) { _ in }
        } throws: { error in
            "\(error)".contains("did you mean 3g")
        }
    }
}
