import Foundation
import SegueOrigin

/// Sockets that listen already, which a service manager has opened and hands over: sd_listen_fds(3) of systemd.
package struct InheritedSockets: Sendable, Equatable {
    /// One of them.
    package struct Socket: Sendable, Equatable {
        /// Its descriptor.
        package var descriptor: Int32
        /// What the manager calls it; empty where it does not.
        package var name: String
        /// Where it listens.
        package var address: OriginServer.Address
    }

    /// What is handed over cannot be used.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// One line for a person.
        package var description: String
    }

    /// What an environment says of them.
    enum Offer: Equatable {
        /// Nothing.
        case none
        /// They are meant for another process, which has handed its environment on.
        case foreign(process: String)
        /// So many, with these names.
        case sockets(names: [String])
    }

    /// The first descriptor that is handed over.
    static let first: Int32 = 3
    /// More than anybody listens on.
    static let most = 64

    /// The sockets, in the order of their descriptors; none where none were handed over.
    package let sockets: [Socket]
    /// What is to be told of those that are not taken; nil for nothing.
    package let notice: String?

    /// Takes over what was handed to this process.
    ///
    /// - Parameters:
    ///   - environment: The environment: `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.
    ///   - process: The process's own number.
    /// - Throws: ``Failure`` where there is something that no server can listen on.
    package init(environment: [String: String], process: Int32) throws(Failure) {
        switch try Self.offer(environment, process: process) {
        case .none: (sockets, notice) = ([], nil)
        case .foreign(let other):
            sockets = []
            notice =
                "LISTEN_PID: the sockets are for process \(other), and this is \(process); they are not taken "
                + "(a script that starts the program has to do so with exec)"
        case .sockets(let names):
            var taken: [Socket] = []
            for (number, name) in names.enumerated() { taken.append(try Self.take(Self.first + Int32(number), name)) }
            (sockets, notice) = (taken, nil)
        }
    }

    /// Sockets that are known.
    init(sockets: [Socket]) { (self.sockets, notice) = (sockets, nil) }

    /// Where a server listens that has taken them: of several addresses the one that most can reach, as who is let in
    /// without a key depends on that; nil where there are none.
    package var widest: OriginServer.Address? {
        sockets.first { $0.isOfAllInterfaces }?.address ?? sockets.first { !$0.isLoopback }?.address
            ?? sockets.first?.address
    }

    /// What an environment says, before anything is asked of the descriptors.
    static func offer(_ environment: [String: String], process: Int32) throws(Failure) -> Offer {
        guard let count = environment["LISTEN_FDS"] else { return .none }
        guard let meant = environment["LISTEN_PID"] else { return .none }
        guard Int32(meant) == process else { return .foreign(process: meant.filter { !$0.isNewline }) }
        guard let count = Int(count), (0...most).contains(count) else {
            throw Failure(description: "LISTEN_FDS: '\(count)' is no number of sockets from 0 to \(most)")
        }
        if count == 0 { return .none }
        guard let text = environment["LISTEN_FDNAMES"] else {
            return .sockets(names: [String](repeating: "", count: count))
        }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == count else {
            throw Failure(description: "LISTEN_FDNAMES: there are \(names.count) names for \(count) sockets")
        }
        return .sockets(names: names)
    }

    /// Looks at a descriptor, and keeps it from the programs that this one starts.
    private static func take(_ descriptor: Int32, _ name: String) throws(Failure) -> Socket {
        let known = "LISTEN_FDS: descriptor \(descriptor)\(name.isEmpty ? "" : " (\(name))")"
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) >= 0 else {
            throw Failure(description: "\(known): fcntl: \(String(cString: strerror(errno)))")
        }
        let advice = "give it a socket unit with ListenStream= and Accept=no"
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw Failure(description: "\(known) is no stream socket that listens; \(advice)") }
        guard let address = address(of: descriptor) else {
            throw Failure(description: "\(known) has no address of IPv4 or IPv6; \(advice) with an address and a port")
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
