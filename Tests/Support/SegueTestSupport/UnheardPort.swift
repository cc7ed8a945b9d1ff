internal import Foundation
internal import Glibc

/// A port of the loopback interface at which nobody listens, and nobody else comes to, as long as it is held: a connection to
/// it is refused.
package final class UnheardPort: Sendable {
    /// The port.
    package let port: UInt16

    private let descriptor: Int32

    /// Takes a port that the system picks.
    ///
    /// - Throws: A POSIX error when there is none to be had.
    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        // It is bound and does not listen, which keeps the port from whoever asks the system for one.
        let isHeld = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isHeld else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
    }

    deinit { close(descriptor) }
}
