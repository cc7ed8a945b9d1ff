import Foundation
package import NIOCore

/// An IP address, both kinds in one form: IPv4 is `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2).
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The first and the last 64 bits.
    let high: UInt64
    let low: UInt64

    /// What a socket without an address counts as, such as one of the Unix domain.
    static let none = ClientAddress(high: 0, low: 0)

    private static let mapped: UInt64 = 0xffff_0000_0000

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The address that a text names: IPv4 or IPv6, the latter with or without brackets, each with or without a port, as
    /// proxies write them; nil for anything else.
    package init?(_ text: Substring) {
        var text = text
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), text[colon...].dropFirst().firstIndex(of: ":") == nil {
            // IPv6 has two of them at least.
            text = text[..<colon]
        }
        // A zone says by which interface; the same address is another machine's there, but never a client's from afar.
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

    /// The address of a socket's other end.
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

    /// Whether it is IPv4.
    var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// The addresses that one client has: an IPv4 address, or 64 bits of IPv6, which is what a household is given.
    var client: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }

    /// What of the address tells a network but no person: its first 24 bits of IPv4, or 48 of IPv6.
    var truncated: ClientAddress {
        isIPv4 ? ClientAddress(high: 0, low: low & ~0xff) : ClientAddress(high: high & ~0xffff, low: 0)
    }

    /// The address as people write it.
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

/// All addresses that begin with the same bits, such as `10.0.0.0/8`; without a slash, one address.
package struct AddressRange: Sendable, Hashable {
    private let base: ClientAddress
    /// How many bits of 128 they share.
    private let length: Int

    /// The range that a text names; nil where it names none.
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

    /// Whether an address is among them.
    package func contains(_ address: ClientAddress) -> Bool {
        let high = length >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(length))
        let low = length <= 64 ? 0 : length == 128 ? UInt64.max : ~(UInt64.max >> UInt64(length - 64))
        return (address.high ^ base.high) & high == 0 && (address.low ^ base.low) & low == 0
    }
}
