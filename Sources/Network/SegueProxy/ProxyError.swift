internal import CSegueSystem
internal import Glibc

/// An error of the proxy.
public struct ProxyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Sendable, Equatable {
        /// Another program uses the address.
        case addressInUse
        /// The host is unknown, or is not an address of this machine.
        case noSuchAddress
        /// The system denies the permission to listen.
        case notPermitted
        /// There is no link or network with this name.
        case unknownName
        /// The name is in use.
        case nameTaken
        /// The proxy has ended.
        case ended
        /// Any other error.
        case other
    }

    /// The kind of error.
    public let reason: Reason

    /// The address or name of the error.
    public let subject: String

    /// The cause, and the remedy if there is one.
    public let message: String

    /// The subject and the message in one line.
    public var description: String { "\(subject): \(message)" }

    package init(_ reason: Reason, of subject: String, _ message: String) {
        self.reason = reason
        self.subject = subject
        self.message = message
    }

    /// Creates the error of a listener.
    ///
    /// - Parameters:
    ///   - code: The system's error; nil for none.
    ///   - endpoint: The address to listen on.
    ///   - words: The message without a system error.
    package init(listening code: Int32?, on endpoint: Endpoint, otherwise words: String) {
        self = code.map { .listening($0, on: endpoint) } ?? ProxyError(.other, of: "\(endpoint)", words)
    }

    /// The error of a listener for a system error.
    static func listening(_ code: Int32, on endpoint: Endpoint) -> ProxyError {
        switch code {
        case EADDRINUSE:
            ProxyError(
                .addressInUse,
                of: "\(endpoint)",
                "the port is in use by another program; use port 0 for a free one"
            )
        case EADDRNOTAVAIL: ProxyError(.noSuchAddress, of: "\(endpoint)", "this machine has no such address")
        case EACCES, EPERM:
            ProxyError(
                .notPermitted,
                of: "\(endpoint)",
                "permission denied; ports below 1024 need privileges"
            )
        default: ProxyError(.other, of: "\(endpoint)", SystemError.words(code))
        }
    }
}

enum SystemError {
    /// The message of an error number.
    static func words(_ code: Int32) -> String {
        ssock_message(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }

    /// Returns whether the error is temporary.
    static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// Returns whether descriptors or memory are exhausted.
    static func isShortage(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}
