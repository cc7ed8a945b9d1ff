import Foundation
package import NIOCore

/// An IP address in a common form: IPv4 is `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2).
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The first and the last 64 bits.
    let high: UInt64
    let low: UInt64

    /// The address of a socket without an IP address, such as one of the Unix domain.
    static let none = ClientAddress(high: 0, low: 0)

    private static let mapped: UInt64 = 0xffff_0000_0000

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Parses IPv4 or IPv6, the latter with or without brackets, each with or without a port, as proxies write them.
    package init?(_ text: Substring) {
        var text = text
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), text[colon...].dropFirst().firstIndex(of: ":") == nil {
            // IPv6 has at least two colons.
            text = text[..<colon]
        }
        // A zone names an interface; a remote client's address has none.
        text = text.prefix { $0 != "%" }
        guard text.utf8.count <= 45 else { return nil }
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, String(text), &v4) == 1 {
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: v4.s_addr)))
        } else if inet_pton(AF_INET6, String(text), &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// The peer address of a socket.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: address.address.sin_addr.s_addr)))
        case .v6(let address): self.init(address.address.sin6_addr)
        case .unixDomainSocket, nil: self = .none
        }
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// The address range of one client: an IPv4 address, or a /64 of IPv6, which a household has.
    var client: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }

    /// The network part, which does not identify a person: /24 of IPv4, or /48 of IPv6.
    var truncated: ClientAddress {
        isIPv4 ? ClientAddress(high: 0, low: low & ~0xff) : ClientAddress(high: high & ~0xffff, low: 0)
    }

    package var description: String {
        guard !isIPv4 else {
            return [24, 16, 8, 0].map { "\(low >> $0 & 0xff)" }.joined(separator: ".")
        }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return "-" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// An address range in CIDR notation, such as `10.0.0.0/8`; without a slash, one address.
package struct AddressRange: Sendable, Hashable {
    private let base: ClientAddress
    /// The length of the prefix in bits of 128.
    private let length: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].contains("["), let base = ClientAddress(parts[0]),
            parts[0].contains(":") != base.isIPv4 || parts[0].hasPrefix("::ffff:")
        else { return nil }
        let bits = base.isIPv4 && !parts[0].contains(":") ? 32 : 128
        guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length) else { return nil }
        self.base = base
        self.length = 128 - bits + length
    }

    package func contains(_ address: ClientAddress) -> Bool {
        let high = length >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(length))
        let low = length <= 64 ? 0 : length == 128 ? UInt64.max : ~(UInt64.max >> UInt64(length - 64))
        return (address.high ^ base.high) & high == 0 && (address.low ^ base.low) & low == 0
    }
}
