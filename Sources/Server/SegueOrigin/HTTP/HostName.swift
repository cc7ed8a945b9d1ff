import Foundation

/// A host as URLs and `Host` fields name it, in one spelling: of a name the case and a final dot say nothing, and an
/// address can be written in several ways.
package enum HostName: Sendable, Hashable {
    /// An IPv4 address, its four bytes as one number.
    case ipv4(UInt32)
    /// An IPv6 address, its sixteen bytes; one that stands for an IPv4 address is that address.
    case ipv6([UInt8])
    /// Anything else, in small letters.
    case name(String)

    /// The host that a text names, an IPv6 address with or without brackets; nil where it is none.
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

    /// The host of an authority, `HOST` or `HOST:PORT`, an IPv6 address in brackets (RFC 3986, section 3.2); nil where
    /// it is malformed, and for one that names a user.
    package init?(authority: some StringProtocol) {
        let text = String(authority)
        var host = text[...]
        // The colon after the brackets, or the only one.
        let end = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[end...].firstIndex(of: ":") {
            guard text[text.index(after: colon)...].utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            host = text[..<colon]
        }
        self.init(host)
    }

    /// Whether it stands for this machine in every network: 127.0.0.0/8, ::1 and `localhost`.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let bytes): bytes == [UInt8](repeating: 0, count: 15) + [1]
        case .name(let name): name == "localhost"
        }
    }

    /// Whether a server that listens there listens on all addresses: 0.0.0.0, :: and `*`.
    package var isAny: Bool {
        switch self {
        case .ipv4(let address): address == 0
        case .ipv6(let bytes): bytes.allSatisfy { $0 == 0 }
        case .name(let name): name == "*"
        }
    }

    /// Whether it is an address, not a name.
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

    /// Whether a byte may be part of a name: none that separates the parts of a URL or a header field, no control.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"\"#%,/:;<>?@[\\]^`{|}".utf8.contains(byte)
    }
}
