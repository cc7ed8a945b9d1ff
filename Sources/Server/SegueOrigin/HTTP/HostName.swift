import Foundation

/// The host of a URL or a `Host` field in a canonical form.
package enum HostName: Sendable, Hashable {
    /// An IPv4 address as a number.
    case ipv4(UInt32)
    /// The bytes of an IPv6 address; an IPv4-mapped address is an ``ipv4(_:)``.
    case ipv6([UInt8])
    /// Any other name, in lower case and without a final dot.
    case name(String)

    /// Parses a host, an IPv6 address with or without brackets; nil if it is malformed.
    package init?(_ text: some StringProtocol) {
        var host = text.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard let address = Self.ipv6(host) else { return nil }
            self = address
            return
        }
        if let address = Self.ipv4(host) ?? Self.ipv6(host) {
            self = address
            return
        }
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isPlain) else { return nil }
        self = .name(host)
    }

    /// Parses the host of an authority, `HOST` or `HOST:PORT` (RFC 3986, section 3.2); nil if it is malformed or has a
    /// user.
    package init?(authority: some StringProtocol) {
        let text = String(authority)
        var host = text[...]
        // The colon after the brackets, or the only colon.
        let end = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[end...].firstIndex(of: ":") {
            guard text[text.index(after: colon)...].utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            host = text[..<colon]
        }
        self.init(host)
    }

    /// True for 127.0.0.0/8, ::1, and `localhost`.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let bytes): bytes == [UInt8](repeating: 0, count: 15) + [1]
        case .name(let name): name == "localhost"
        }
    }

    /// True for the wildcard addresses 0.0.0.0, ::, and `*`.
    package var isAny: Bool {
        switch self {
        case .ipv4(let address): address == 0
        case .ipv6(let bytes): bytes.allSatisfy { $0 == 0 }
        case .name(let name): name == "*"
        }
    }

    package var isAddress: Bool {
        if case .name = self { return false }
        return true
    }

    private static func ipv4(_ text: String) -> HostName? {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        return .ipv4(UInt32(bigEndian: address.s_addr))
    }

    private static func ipv6(_ text: String) -> HostName? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &address) { Array($0) }
        // ::ffff:0:0/96 (RFC 4291, section 2.5.5.2).
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10..<12].elementsEqual([0xFF, 0xFF]) {
            return .ipv4(bytes[12...].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return .ipv6(bytes)
    }

    /// Returns true if a byte may be part of a name: no delimiter of URLs and header fields, no control character.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"\"#%,/:;<>?@[\\]^`{|}".utf8.contains(byte)
    }
}
