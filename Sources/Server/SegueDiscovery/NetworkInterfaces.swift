import Foundation

/// A network interface of this machine with its address in IPv4.
package struct NetworkInterface: Sendable, Hashable {
    /// The system's number of it.
    package var number: Int32
    /// Its name, such as `eth0`.
    package var name: String
    /// Its address.
    package var address: IPv4Address
    /// The mask of the addresses on its link.
    package var mask: IPv4Address

    /// Whether an address lies on this interface's link.
    func reaches(_ other: IPv4Address) -> Bool { other.bits & mask.bits == address.bits & mask.bits }
}

/// This machine's interfaces.
package enum NetworkInterfaces {
    /// Those that are up, can multicast and have an address in IPv4, one for each address; loopback is left out.
    package static func multicast() -> [NetworkInterface] {
        all().filter { entry in
            let wanted = Int32(IFF_UP) | Int32(IFF_RUNNING) | Int32(IFF_MULTICAST)
            return entry.flags & wanted == wanted && entry.flags & Int32(IFF_LOOPBACK) == 0
        }.map(\.interface)
    }

    /// The number of the interface that has an address; nil where none has, as for a name or for all addresses.
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

/// An address of IPv4.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
    /// Its four bytes as one number, the first the highest.
    package var bits: UInt32

    /// The address with these bits.
    package init(bits: UInt32) { self.bits = bits }

    /// Reads four numbers with dots; nil for anything else.
    package init?(_ text: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        bits = UInt32(bigEndian: address.s_addr)
    }

    /// The address of a socket; nil where it is none of IPv4.
    init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
        bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
    }

    /// Four numbers with dots.
    package var description: String {
        [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".")
    }
}
