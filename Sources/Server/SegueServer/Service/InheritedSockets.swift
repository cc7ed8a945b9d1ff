import Foundation
import SegueOrigin

/// Listening sockets inherited from a service manager: sd_listen_fds(3) of systemd.
package struct InheritedSockets: Sendable, Equatable {
    package struct Socket: Sendable, Equatable {
        package var descriptor: Int32
        /// The manager's name of the socket; empty if it has none.
        package var name: String
        package var address: OriginServer.Address
    }

    /// Inherited sockets that cannot be used.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// One line for people.
        package var description: String
    }

    /// The sockets that an environment announces.
    enum Offer: Equatable {
        case none
        /// Sockets for another process, which passed its environment on.
        case foreign(process: String)
        case sockets(names: [String])
    }

    /// The first inherited descriptor.
    static let first: Int32 = 3
    /// The maximum number of sockets.
    static let most = 64

    /// The sockets in the order of their descriptors; empty if there are none.
    package let sockets: [Socket]
    /// A notice about ignored sockets; nil for none.
    package let notice: String?

    /// Takes over the sockets of this process.
    ///
    /// - Parameters:
    ///   - environment: The environment with `LISTEN_PID`, `LISTEN_FDS`, and `LISTEN_FDNAMES`.
    /// - Throws: ``Failure`` if a server cannot listen on one of them.
    package init(environment: [String: String], process: Int32) throws(Failure) {
        switch try Self.offer(environment, process: process) {
        case .none: (sockets, notice) = ([], nil)
        case .foreign(let other):
            sockets = []
            notice =
                "LISTEN_PID: ignoring the sockets, which are for process \(other), not for this process \(process) "
                + "(a script has to start the program with exec)"
        case .sockets(let names):
            var taken: [Socket] = []
            for (number, name) in names.enumerated() { taken.append(try Self.take(Self.first + Int32(number), name)) }
            (sockets, notice) = (taken, nil)
        }
    }

    init(sockets: [Socket]) { (self.sockets, notice) = (sockets, nil) }

    /// The most reachable of the addresses, which determines whether a key is required; nil without sockets.
    package var widest: OriginServer.Address? {
        sockets.first { $0.isOfAllInterfaces }?.address ?? sockets.first { !$0.isLoopback }?.address
            ?? sockets.first?.address
    }

    /// Parses an environment without accessing the descriptors.
    static func offer(_ environment: [String: String], process: Int32) throws(Failure) -> Offer {
        guard let count = environment["LISTEN_FDS"] else { return .none }
        guard let meant = environment["LISTEN_PID"] else { return .none }
        guard Int32(meant) == process else { return .foreign(process: meant.filter { !$0.isNewline }) }
        guard let count = Int(count), (0...most).contains(count) else {
            throw Failure(description: "LISTEN_FDS is '\(count)'; expected a number of sockets from 0 to \(most)")
        }
        if count == 0 { return .none }
        guard let text = environment["LISTEN_FDNAMES"] else {
            return .sockets(names: [String](repeating: "", count: count))
        }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == count else {
            throw Failure(description: "LISTEN_FDNAMES has \(names.count) names for \(count) sockets")
        }
        return .sockets(names: names)
    }

    /// Checks a descriptor, and closes it in child processes.
    private static func take(_ descriptor: Int32, _ name: String) throws(Failure) -> Socket {
        let known = "LISTEN_FDS: descriptor \(descriptor)\(name.isEmpty ? "" : " (\(name))")"
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) >= 0 else {
            throw Failure(description: "\(known): fcntl: \(String(cString: strerror(errno)))")
        }
        let advice = "use a socket unit with ListenStream= and Accept=no"
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw Failure(description: "\(known) is not a listening stream socket; \(advice)") }
        guard let address = address(of: descriptor) else {
            throw Failure(description: "\(known) has no IPv4 or IPv6 address; \(advice) and with an address and a port")
        }
        return Socket(descriptor: descriptor, name: name, address: address)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func address(of descriptor: Int32) -> OriginServer.Address? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let isFound = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0
                    && [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                    && getnameinfo(
                        address,
                        length,
                        &host,
                        socklen_t(host.count),
                        &port,
                        socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV
                    ) == 0
            }
        }
        guard isFound, let number = Int(text(port)) else { return nil }
        return OriginServer.Address(host: text(host), port: number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension InheritedSockets.Socket {
    fileprivate var isLoopback: Bool { HostName(address.host)?.isLoopback == true }
    fileprivate var isOfAllInterfaces: Bool { HostName(address.host)?.isAny == true }
}
