internal import SegueFetch

/// A kind of failure of a request, which determines the number of retries.
package enum FailureKind: String, FieldChoice {
    case missing
    case liveMissing = "live-missing"
    case busy
    case server
    case unresolved
    case refused
    case lost
    case truncated
    case timedOut = "timed-out"

    package var meaning: String {
        switch self {
        case .missing: "404 or 410."
        case .liveMissing: "404 or 410 for a resource of a live playlist, which may exist a moment later."
        case .busy: "429 or 503."
        case .server: "Another 5xx, or 408."
        case .unresolved: "The host name has no address."
        case .refused: "The connection is refused."
        case .lost: "The connection is lost."
        case .truncated: "The response is shorter than announced."
        case .timedOut: "The response stalls or is too slow."
        }
    }

    /// The kind of a response's status; nil if a retry would have the same result.
    init?(status: Int, isLive: Bool) {
        switch status {
        case 404, 410: self = isLive ? .liveMissing : .missing
        case 429, 503: self = .busy
        case 408, 500...: self = .server
        default: return nil
        }
    }

    /// The kind of a failure without a complete response; nil if a retry would have the same result.
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
