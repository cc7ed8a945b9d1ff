package import SegueBase

package struct WatchRequest: Sendable, Hashable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        /// A range request for the first byte, in place of HEAD.
        case firstByte = "BYTE"
    }

    package let method: Method

    /// The absolute URL.
    package let url: String

    /// The time to send it.
    package let at: Instant

    /// The timeout of the whole exchange.
    package let patience: Duration

    /// True if the server may hold the response.
    package let mayBlock: Bool

    /// The maximum size of the response in bytes; nil for the limit of playlists.
    package var most: Int?
}

/// The response to a request of a watch, or its failure.
package struct WatchResponse: Sendable {
    package var method: WatchRequest.Method
    /// The requested absolute URL.
    package var url: String
    /// The time of the request.
    package var began: Instant
    /// The end of the response, or the time of the failure.
    package var ended: Instant
    /// The HTTP status; 0 without a response.
    package var status: Int
    /// The header fields with names in lower case.
    package var headers: [String: String] = [:]
    /// The URL after redirects.
    package var finalURL: String
    package var bytes: [UInt8] = []
    /// The failure; nil after a complete response.
    package var failure: Message?

    package init(
        method: WatchRequest.Method = .get,
        url: String,
        began: Instant,
        ended: Instant,
        status: Int
    ) {
        (self.method, self.url, self.began, self.ended) = (method, url, began, ended)
        (self.status, self.finalURL) = (status, url)
    }

    /// True for a complete 200 or 206 response.
    var isThere: Bool { failure == nil && (status == 200 || status == 206) }

    /// The failure as a clause for messages.
    var trouble: Message { failure ?? "the server returned \(status)" }
}

/// The next requests of a watch and its new findings.
package struct WatchStep: Sendable {
    package var requests: [WatchRequest] = []
    package var findings: [LiveFinding] = []
}

/// A broken rule with the time of its discovery.
package struct LiveFinding: Sendable, Hashable {
    package let at: Instant
    package let broken: BrokenRule

    package init(at: Instant, broken: BrokenRule) { (self.at, self.broken) = (at, broken) }
}
