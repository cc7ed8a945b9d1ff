import Foundation

package enum LocalAddresses {
    /// The addresses at which other devices reach a server, the most likely first.
    ///
    /// - Returns: All addresses of this machine for a server that listens on all, none for a loopback server, otherwise
    ///   the host itself.
    package static func reachable(listeningOn host: String) -> [String] {
        switch host {
        case "0.0.0.0", "::", "*": ipv4()
        case "localhost", "::1": []
        case _ where host.hasPrefix("127."): []
        case _ where host.contains(":"): ["[\(host)]"]
        default: [host]
        }
    }

    /// The IPv4 addresses of active interfaces, without loopback and link-local ones.
    private static func ipv4() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = Int32(bitPattern: entry.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
                let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !text.hasPrefix("169.254.") { addresses.append(text) }
        }
        return addresses
    }
}
