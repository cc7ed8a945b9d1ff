import SegueOrigin
import SwiftASN1
import X509

/// The names that the server's own authority may certify (RFC 5280, section 4.2.1.10).
///
/// People install the authority on their devices. Whoever stole its key could otherwise pass for any site.
struct AuthorityConstraints {
    /// Domains without public names: multicast DNS (RFC 6762), home networks (RFC 8375), private use (reserved by ICANN
    /// in 2024), and `lan`, which many routers use.
    private static let domains = ["home.arpa", "internal", "lan", "local", "localhost"]
    /// Private, shared, link-local, and loopback addresses (RFC 1918, 6598, 3927, 1122, 4193, 4291).
    private static let ranges: [(base: [UInt8], length: Int)] = [
        ([10, 0, 0, 0], 8), ([172, 16, 0, 0], 12), ([192, 168, 0, 0], 16), ([100, 64, 0, 0], 10),
        ([169, 254, 0, 0], 16), ([127, 0, 0, 0], 8), ([0xFC] + [UInt8](repeating: 0, count: 15), 7),
        ([0xFE, 0x80] + [UInt8](repeating: 0, count: 14), 10), ([UInt8](repeating: 0, count: 15) + [1], 128),
    ]

    /// The constraints; nil for an authority of before, which may certify any name.
    let permitted: NameConstraints?

    /// The constraints of an authority.
    init(of authority: Certificate) throws { permitted = try authority.extensions.nameConstraints }

    /// The constraints of a new authority: private names and addresses, and those of this machine.
    init(hosts: [HostName]) {
        var (domains, ranges) = (Self.domains, Self.ranges.map { Self.range($0.base, length: $0.length) })
        for host in hosts where !AuthorityConstraints(domains, ranges).permits(host) {
            switch host {
            case .name(let name): domains.append(name)
            case .ipv4, .ipv6: ranges.append(Self.range(host.addressBytes, length: 8 * host.addressBytes.count))
            }
        }
        self.init(domains, ranges)
    }

    private init(_ domains: [String], _ ranges: [ASN1OctetString]) {
        permitted = NameConstraints(
            permittedDNSDomains: NameConstraints.DNSNames(domains),
            permittedIPRanges: NameConstraints.IPRanges(ranges)
        )
    }

    /// Returns true if the authority may certify a host.
    func permits(_ host: HostName) -> Bool {
        guard let permitted else { return true }
        switch host {
        case .name(let name): return permitted.permittedDNSDomains.contains { name == $0 || name.hasSuffix("." + $0) }
        case .ipv4, .ipv6:
            let address = host.addressBytes
            return permitted.permittedIPRanges.contains { range in
                let (base, mask) = (range.bytes.prefix(address.count), range.bytes.suffix(address.count))
                return range.bytes.count == 2 * address.count
                    && zip(address, zip(base, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
            }
        }
    }

    /// An address and its mask.
    private static func range(_ base: [UInt8], length: Int) -> ASN1OctetString {
        let mask = base.indices.map { index in ~UInt8(truncatingIfNeeded: 0xFF >> max(0, min(8, length - 8 * index))) }
        return ASN1OctetString(contentBytes: (base + mask)[...])
    }
}

extension HostName {
    /// The bytes of an address in network order; empty for a name.
    var addressBytes: [UInt8] {
        switch self {
        case .ipv4(let address): withUnsafeBytes(of: address.bigEndian) { Array($0) }
        case .ipv6(let bytes): bytes
        case .name: []
        }
    }
}
