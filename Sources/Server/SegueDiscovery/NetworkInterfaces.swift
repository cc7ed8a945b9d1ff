import Foundation

/// A network interface of this machine with an IPv4 address.
package struct NetworkInterface: Sendable, Hashable {
    /// The interface index.
    package var number: Int32
    /// The name, such as `eth0`.
    package var name: String
    package var address: IPv4Address
    /// The netmask.
    package var mask: IPv4Address

    /// Returns true if an address is on this interface's link.
    func reaches(_ other: IPv4Address) -> Bool { other.bits & mask.bits == address.bits & mask.bits }
}

/// The interfaces of this machine.
package enum NetworkInterfaces {
    /// The active multicast interfaces with IPv4 addresses, one entry for each address, without loopback.
    package static func multicast() -> [NetworkInterface] {
        all().filter { entry in
            let wanted = Int32(IFF_UP) | Int32(IFF_RUNNING) | Int32(IFF_MULTICAST)
            return entry.flags & wanted == wanted && entry.flags & Int32(IFF_LOOPBACK) == 0
        }.map(\.interface)
    }

    /// The index of the interface with an address, or nil if there is none, such as for a name or a wildcard.
    package static func number(ofAddress text: String) -> Int32? {
        guard let address = IPv4Address(text), address.bits != 0 else { return nil }
        return all().first { $0.interface.address == address }?.interface.number
    }

    private static func all() -> [(interface: NetworkInterface, flags: Int32)] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(NetworkInterface, Int32)] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = IPv4Address(entry.ifa_addr), let mask = IPv4Address(entry.ifa_netmask) else { continue }
            let interface = NetworkInterface(
                number: Int32(bitPattern: if_nametoindex(entry.ifa_name)),
                name: String(cString: entry.ifa_name),
                address: address,
                mask: mask
            )
            found.append((interface, Int32(bitPattern: entry.ifa_flags)))
        }
        return found
    }
}

/// An IPv4 address.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
    /// The four bytes as a number, the first one highest.
    package var bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// Parses dotted decimal notation.
    package init?(_ text: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        bits = UInt32(bigEndian: address.s_addr)
    }

    /// The address of a socket; nil unless it is IPv4.
    init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
        bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
    }

    /// Dotted decimal notation.
    package var description: String {
        [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".")
    }
}
