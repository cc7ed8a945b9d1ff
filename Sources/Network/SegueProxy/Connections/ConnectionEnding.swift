/// The reason for the end of a connection; its description is the text in logs.
enum ConnectionEnding: CustomStringConvertible {
    case closed
    /// Broken, with the system's error.
    case broken(Int32)
    /// Broken at one end, with the system's error.
    case brokenEnd(ProxyEnd, Int32)
    case reset(by: ProxyEnd)
    case resetByFault
    /// The client's address has changed.
    case handover
    /// The server could not be reached.
    case serverFailed(ServerFailure)
    /// The client's handshake was never answered.
    case unanswered
    /// The connection was reset through the control.
    case disconnected
    case linkRemoved
    case proxyEnded

    /// True if the client broke the connection.
    var isByClient: Bool {
        switch self {
        case .brokenEnd(.client, _), .reset(by: .client): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .closed: "closed"
        case .broken(let code): SystemError.words(code)
        case .brokenEnd(let end, let code): "\(end == .client ? "client" : "server"): \(SystemError.words(code))"
        case .reset(let end): "reset by the \(end == .client ? "client" : "server")"
        case .resetByFault: "reset by a fault"
        case .handover: "the client has another address now"
        case .serverFailed(let failure): "\(failure)"
        case .unanswered: "the handshake was never answered"
        case .disconnected: "disconnected"
        case .linkRemoved: "the link is removed"
        case .proxyEnded: "the proxy ends"
        }
    }
}

/// The reason for which a server could not be reached.
enum ServerFailure: CustomStringConvertible {
    case noAnswer(within: Duration)
    case system(Int32)

    var description: String {
        switch self {
        case .noAnswer(let limit): "no answer within \(limit)"
        case .system(let code): SystemError.words(code)
        }
    }
}
