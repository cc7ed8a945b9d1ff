import Foundation
import NIOCore

/// An error that keeps the server from running.
package struct OriginServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case addressInUse
        /// The host is not one of this machine's addresses, or its name is unknown.
        case noSuchAddress
        case notPermitted
        /// A certificate or another file cannot be used.
        case badFile
        case other
    }

    package var reason: Reason

    /// The address, as `HOST:PORT`, or the file.
    package var address: String

    /// The problem and, if possible, its remedy.
    package var message: String

    /// One line for people.
    package var description: String { "\(address): \(message)" }

    init(_ reason: Reason, at address: OriginServer.Address, _ message: String) {
        self.reason = reason
        self.address = address.description
        self.message = message
    }

    init(file: String, _ message: String) { (reason, address, self.message) = (.badFile, file, message) }

    /// Creates the error for a failure to listen.
    init(_ error: any Error, address: String) {
        self.address = address
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            reason = .addressInUse
            message = "the port is in use by another program; port 0 picks a free one"
        case EADDRNOTAVAIL:
            reason = .noSuchAddress
            message = "this machine does not have this address"
        case EACCES, EPERM:
            reason = .notPermitted
            message = "listening on this port is not permitted; ports below 1024 require privileges"
        case .some(let code):
            reason = .other
            message = String(cString: strerror(code))
        case nil:
            let isName = error is SocketAddressError || error is SocketAddressError.UnknownHost
            reason = isName ? .noSuchAddress : .other
            message = isName ? "unknown host" : "\(error)".split(separator: "\n").joined(separator: " ")
        }
    }
}
