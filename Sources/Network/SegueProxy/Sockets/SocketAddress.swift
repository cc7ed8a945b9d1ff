internal import CSegueSystem
internal import Glibc

/// A numeric address with a port.
struct SocketAddress {
    var raw: ssock_address

    /// Resolves a host, in the order of preference.
    ///
    /// - Throws: ``ProxyError`` if the host has no address.
    static func resolve(_ endpoint: Endpoint, toListen: Bool) throws(ProxyError) -> [SocketAddress] {
        let most = 8
        var found = [ssock_address](repeating: ssock_address(), count: most)
        let count = ssock_resolve(endpoint.host, Int32(endpoint.port), toListen ? 1 : 0, &found, Int32(most))
        guard count > 0 else {
            let words = count < 0 ? ssock_resolver_message(count).map { String(cString: $0).lowercased() } : nil
            throw ProxyError(.noSuchAddress, of: "\(endpoint)", words ?? "no such host")
        }
        return found[..<Int(count)].map { SocketAddress(raw: $0) }
    }

    /// The address with another port, whose position is the same for IPv4 and IPv6.
    func with(port: Int) -> SocketAddress {
        var raw = raw
        withUnsafeMutableBytes(of: &raw.storage) {
            $0.storeBytes(of: UInt16(truncatingIfNeeded: port).bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        return SocketAddress(raw: raw)
    }

    /// Returns whether a host is an address and not a name.
    static func isNumeric(_ host: String) -> Bool {
        var room = in6_addr()
        return inet_pton(AF_INET, host, &room) == 1 || inet_pton(AF_INET6, host, &room) == 1
    }

    /// The address as text.
    var endpoint: Endpoint {
        var host = [CChar](repeating: 0, count: 64)
        var raw = raw
        let port = ssock_describe(&raw, &host, host.count)
        return Endpoint(
            host: String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
            port: Int(port)
        )
    }
}
