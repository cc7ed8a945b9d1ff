internal import SegueFetch

/// How a request failed, as far as it matters for whether and when it is repeated.
package enum FailureKind: String, Sendable, CaseIterable {
    /// The server has no such resource: 404 or 410.
    case missing
    /// The same of something that a live playlist names, which may be there in a moment.
    case liveMissing = "live-missing"
    /// The server asks to come again later: 429 or 503.
    case busy
    /// The server failed otherwise: 5xx, or 408.
    case server
    /// The host's name has no address.
    case unresolved
    /// Nobody takes the connection.
    case refused
    /// The connection was lost.
    case lost
    /// Fewer bytes came than were announced.
    case truncated
    /// Nothing came for too long, or too little.
    case timedOut = "timed-out"

    /// The kind of a response's status; nil for one that will be the same the next time.
    init?(status: Int, isLive: Bool) {
        switch status {
        case 404, 410: self = isLive ? .liveMissing : .missing
        case 429, 503: self = .busy
        case 408, 500...: self = .server
        default: return nil
        }
    }

    /// The kind of a failure without a whole response; nil for one that will be the same the next time.
    init?(_ reason: FetchError.Reason) {
        switch reason {
        case .cannotResolve: self = .unresolved
        case .cannotConnect: self = .refused
        case .connectionLost, .other: self = .lost
        case .truncated: self = .truncated
        case .timedOut: self = .timedOut
        case .badURL, .tooLarge, .tooManyRedirects, .untrusted: return nil
        }
    }
}
