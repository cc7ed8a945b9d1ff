import Glibc
import SegueUPnP

/// A datagram socket on one network interface.
final class SSDPSocket {
    /// A failed operation and its reason.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String, _ interface: NetworkInterface) {
            description = "\(call) on \(interface.name) (\(interface.address)): \(String(cString: strerror(errno)))"
        }
    }

    /// `IP_MULTICAST_ALL` of Linux's <linux/in.h>, which the module Glibc leaves out.
    private static let multicastAll: Int32 = 49

    let descriptor: Int32
    private let interface: NetworkInterface

    /// Creates a socket that receives only datagrams to SSDP's group on this link: no unicast, which may come from
    /// elsewhere, and nothing from other links.
    static func listening(on interface: NetworkInterface) throws(Failure) -> SSDPSocket {
        let socket = try SSDPSocket(interface)
        try socket.set(SO_REUSEADDR, of: SOL_SOCKET, to: Int32(1), "setsockopt SO_REUSEADDR")
        try socket.set(Self.multicastAll, of: Int32(IPPROTO_IP), to: Int32(0), "setsockopt IP_MULTICAST_ALL")
        try socket.bind(IPv4Address(SSDPDevice.group), SSDPDevice.port)
        let group = ip_mreqn(
            imr_multiaddr: in_addr(s_addr: IPv4Address(SSDPDevice.group)?.bits.bigEndian ?? 0),
            imr_address: in_addr(s_addr: interface.address.bits.bigEndian),
            imr_ifindex: interface.number
        )
        try socket.set(IP_ADD_MEMBERSHIP, of: Int32(IPPROTO_IP), to: group, "setsockopt IP_ADD_MEMBERSHIP")
        return socket
    }

    /// Creates a socket that sends from this machine's address on a link, to the group at most two hops away (UPnP
    /// Device Architecture 1.1, section 1.1), and receives the responses.
    static func sending(on interface: NetworkInterface) throws(Failure) -> SSDPSocket {
        let socket = try SSDPSocket(interface)
        let link = ip_mreqn(
            imr_multiaddr: in_addr(s_addr: 0),
            imr_address: in_addr(s_addr: interface.address.bits.bigEndian),
            imr_ifindex: interface.number
        )
        try socket.set(IP_MULTICAST_IF, of: Int32(IPPROTO_IP), to: link, "setsockopt IP_MULTICAST_IF")
        try socket.set(IP_MULTICAST_TTL, of: Int32(IPPROTO_IP), to: Int32(2), "setsockopt IP_MULTICAST_TTL")
        try socket.bind(interface.address, 0)
        return socket
    }

    private init(_ interface: NetworkInterface) throws(Failure) {
        self.interface = interface
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_INET, kind, 0)
        if descriptor < 0 { throw Failure("socket", interface) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a datagram; on failure it is lost, as on the way.
    func send(_ bytes: [UInt8], to address: IPv4Address, port: UInt16) {
        var target = Self.address(address, port)
        _ = withUnsafePointer(to: &target) { target in
            target.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The next received datagram and its sender, or nil if there is none.
    func receive() -> (bytes: [UInt8], from: IPv4Address, port: UInt16)? {
        var bytes = [UInt8](repeating: 0, count: SSDPMessage.Limit.bytes + 1)
        var source = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &source) { source in
            source.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        let address = IPv4Address(bits: UInt32(bigEndian: source.sin_addr.s_addr))
        return (Array(bytes.prefix(count)), address, UInt16(bigEndian: source.sin_port))
    }

    private func bind(_ address: IPv4Address?, _ port: UInt16) throws(Failure) {
        var own = Self.address(address ?? IPv4Address(bits: 0), port)
        let code = withUnsafePointer(to: &own) { own in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw Failure("bind to port \(port)", interface) }
    }

    private func set<Value: BitwiseCopyable>(_ name: Int32, of level: Int32, to value: Value, _ call: String)
        throws(Failure)
    {
        var value = value
        let code = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size))
        if code != 0 { throw Failure(call, interface) }
    }

    private static func address(_ address: IPv4Address, _ port: UInt16) -> sockaddr_in {
        var result = sockaddr_in()
        result.sin_family = sa_family_t(AF_INET)
        result.sin_port = port.bigEndian
        result.sin_addr.s_addr = address.bits.bigEndian
        return result
    }
}
