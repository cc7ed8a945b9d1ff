import Foundation
import NIOCore

/// Why the server could not run.
package struct OriginServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Sendable, Equatable {
        /// Another program listens there.
        case addressInUse
        /// The host is not one of this machine's, or its name is unknown.
        case noSuchAddress
        /// The system does not let this user listen there.
        case notPermitted
        /// A file that is needed cannot be used.
        case badFile
        /// Something else.
        case other
    }

    /// What is wrong.
    package var reason: Reason

    /// Where the server was to listen, as `HOST:PORT`; or the file.
    package var address: String

    /// What is wrong, in words, with what to do where there is something.
    package var message: String

    /// One line for a person.
    package var description: String { "\(address): \(message)" }

    /// An error with words of our own.
    init(_ reason: Reason, _ address: OriginServer.Address, _ message: String) {
        self.reason = reason
        self.address = address.description
        self.message = message
    }

    /// A file that cannot be used.
    init(file: String, _ message: String) { (reason, address, self.message) = (.badFile, file, message) }

    /// What a failure to listen means.
    init(_ error: any Error, address: String) {
        self.address = address
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            reason = .addressInUse
            message = "the port is in use by another program; port 0 picks a free one"
        case EADDRNOTAVAIL:
            reason = .noSuchAddress
            message = "this machine has no such address"
        case EACCES, EPERM:
            reason = .notPermitted
            message = "listening there is not permitted; ports below 1024 need privileges"
        case .some(let code):
            reason = .other
            message = String(cString: strerror(code))
        case nil:
            let isName = error is SocketAddressError || error is SocketAddressError.UnknownHost
            reason = isName ? .noSuchAddress : .other
            message = isName ? "no such host" : "\(error)".split(separator: "\n").joined(separator: " ")
        }
    }
}
