import Foundation
import FoundationNetworking
import Glibc
import SegueLink
import SegueProxy
import SegueTestSupport
import Testing

@Suite struct `With a link` {
    /// The Swift code blocks of the documentation page.
    private static func blocks() throws -> [String] {
        let page = try String(contentsOf: root.appending(path: "docs/link.md"), encoding: .utf8)
        return page.matches(of: /(?s)```swift\n(.*?)```\n/).map { String($0.1) }
    }

    private static let root = Checkout.root

    @Test func `the example in the documentation is compiled`() throws {
        let example = Self.root.appending(path: "Tests/Network/SegueLinkTests/WithLinkExample.swift")
        #expect(try Self.blocks().last == String(contentsOf: example, encoding: .utf8))
    }

    @Test func `the manifest in the documentation names this package and its library`() throws {
        let block = try #require(Self.blocks().first)
        let named = try #require(block.firstMatch(of: /\.product\(name: "(\w+)", package: "(\w+)"\)/))
        let own = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(own.contains(".library(name: \"\(named.1)\"") && own.contains("name: \"\(named.2)\","))
        // The identity of a package is the last component of its URL.
        #expect(block.contains("/\(named.2).git\""))
    }

    @Test func `accepts a network in YAML, and closes the listener at the end`() async throws {
        let server = try FileServer(bytes: 1000)
        defer { server.stop() }
        let network = LinkNetwork.yaml("{ name: own, down: { delay: 20 ms }, up: { delay: 20 ms } }")
        let address = try await withLink(network: network, to: server.address) { address in
            let url = try #require(URL(string: "http://\(address)/"))
            #expect(try await URLSession.shared.data(from: url).0.count == 1000)
            return address
        }
        // A program that another test starts at this moment inherits the listener until it runs.
        while case let socket = Self.connected(address), socket >= 0 { close(socket) }
    }

    @Test func `a client of the proxy reaches servers by their own addresses`() async throws {
        let server = try FileServer(bytes: 1000)
        defer { server.stop() }
        let network = LinkNetwork.yaml("{ name: own, down: { delay: 20 ms }, up: { delay: 20 ms } }")
        try await withProxy(network: network) { address in
            let socket = Self.connected(address)
            defer { close(socket) }
            let request = Array("GET http://\(server.address)/ HTTP/1.1\r\n\r\n".utf8)
            #expect(send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
            var buffer = [UInt8](repeating: 0, count: 4096)
            var heard: [UInt8] = []
            while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { heard += buffer[..<count] }
            #expect(heard.starts(with: "HTTP/1.1 200 OK".utf8) && heard.suffix(1000).allSatisfy { $0 == 7 })
        }
    }

    /// A socket connected to an address; negative if nobody listens.
    private static func connected(_ address: LinkAddress) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(address.port).bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(descriptor) }
        return isConnected ? descriptor : -1
    }

    @Test func `rethrows the errors of the work`() async throws {
        struct Failure: Error {}
        let server = LinkAddress(host: "127.0.0.1", port: 1)
        await #expect(throws: Failure.self) {
            try await withLink(network: "lte", to: server) { _ in throw Failure() }
        }
    }

    @Test func `reports an unknown network with the nearest valid one`() async throws {
        let server = LinkAddress(host: "127.0.0.1", port: 1)
        await #expect {
            try await withLink(network: "3gg", to: server) { _ in }
        } throws: { error in
            "\(error)".contains("did you mean 3g")
        }
    }
}
