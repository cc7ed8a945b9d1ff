internal import CSegueSystem
internal import Glibc

/// Why a proxy cannot do something.
public struct ProxyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Equatable {
        /// Another program listens there.
        case addressInUse
        /// The host is unknown, or not one of this machine's.
        case noSuchAddress
        /// The system does not let this user listen there.
        case notPermitted
        /// A name is not known: a link's, a network's.
        case unknownName
        /// A name is taken.
        case nameTaken
        /// The proxy has ended.
        case ended
        /// Something else.
        case other
    }

    /// What is wrong.
    public let reason: Reason

    /// What it is about: an address or a name.
    public let subject: String

    /// What is wrong, in words, with what to do where there is something.
    public let message: String

    /// One line for a person.
    public var description: String { "\(subject): \(message)" }

    /// An error.
    package init(_ reason: Reason, _ subject: String, _ message: String) {
        self.reason = reason
        self.subject = subject
        self.message = message
    }

    /// What keeps one from listening.
    ///
    /// - Parameters:
    ///   - code: The system's error, where there is one.
    ///   - endpoint: Where one wants to listen.
    ///   - words: What is said where there is none.
    package init(listening code: Int32?, on endpoint: Endpoint, otherwise words: String) {
        self = code.map { .listening($0, on: endpoint) } ?? ProxyError(.other, "\(endpoint)", words)
    }

    /// What an error of the system means for one who wants to listen.
    static func listening(_ code: Int32, on endpoint: Endpoint) -> ProxyError {
        switch code {
        case EADDRINUSE:
            ProxyError(.addressInUse, "\(endpoint)", "the port is in use by another program; port 0 picks a free one")
        case EADDRNOTAVAIL: ProxyError(.noSuchAddress, "\(endpoint)", "this machine has no such address")
        case EACCES, EPERM:
            ProxyError(
                .notPermitted,
                "\(endpoint)",
                "listening there is not permitted; ports below 1024 need privileges"
            )
        default: ProxyError(.other, "\(endpoint)", SystemError.words(code))
        }
    }
}

/// Errors of the system.
enum SystemError {
    /// What it says of an error's number.
    static func words(_ code: Int32) -> String {
        ssock_message(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }

    /// Whether it only means "not now".
    static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// Whether there are too many open descriptors, or too little memory for another.
    static func isShortage(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}
