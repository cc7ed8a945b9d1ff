package import SegueBase
package import SegueFetch

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
    package var at: Instant

    /// The timeout of the whole exchange.
    package let patience: Duration

    /// True if the server may hold the response.
    package let mayBlock: Bool

    /// The maximum size of the response in bytes; nil for the limit of playlists.
    package var most: Int?

    /// The byte range of a GET; nil for the whole resource.
    package var span: HTTPFacts.Span?

    /// True for a segment that is loaded to be inspected.
    package internal(set) var isSample = false

    /// The maximum size of a sample in bytes.
    static let sampleLimit = 64 << 20
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
    /// The byte range of the request; nil for the whole resource.
    package var span: HTTPFacts.Span?
    /// The number of requests of the watch to the same server in the ten seconds before; nil if it was not counted.
    package var requestsBefore: Int?
    /// The use of kept connections by the request.
    package var connection = ConnectionUse()
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
    var trouble: Message {
        let wait: Message = retryAfter.map { " with Retry-After: \(DisplayText.seconds($0.seconds))" } ?? ""
        return failure ?? "the server returned \(status)\(wait)"
    }

    /// The method as a phrase for messages.
    var methodName: String { method == .firstByte ? "GET of one byte" : method.rawValue }

    /// The requested bytes; a server without byte ranges returns the whole resource.
    var part: [UInt8] {
        guard let span, status == 200 else { return bytes }
        return Array(bytes.dropFirst(Int(clamping: span.offset)).prefix(Int(clamping: span.length)))
    }

    /// The time that a server wants to be left alone, after 429 or 503.
    package var retryAfter: Duration? {
        guard status == 429 || status == 503 else { return nil }
        return RetryAfter.duration(headers["retry-after"], date: headers["date"]).map { min($0, .seconds(3600)) }
    }

    /// True if the server wants a pause before another request.
    var isRefusal: Bool { status == 429 || retryAfter != nil }

    /// The breach of a refusal because of too many requests; nil for another response.
    var rateBreach: Breach? {
        guard status == 429 else { return nil }
        let rate: Message = requestsBefore.map { ", after \($0) requests of this watch in 10 s" } ?? ""
        let wait: Message = retryAfter.map { "; the watch waits for \(DisplayText.seconds($0.seconds))" } ?? ""
        return Breach(SampleRules.rateLimited, "the server returned 429\(rate)\(wait)")
    }
}

/// The next requests of a watch and its new findings.
package struct WatchStep: Sendable {
    package var requests: [WatchRequest] = []
    package var findings: [LiveFinding] = []
    /// Loaded segments that are to be inspected.
    package var samples: [MediaSample] = []
}

/// A broken rule with the time of its discovery.
package struct LiveFinding: Sendable, Hashable {
    package let at: Instant
    package let broken: BrokenRule

    package init(at: Instant, broken: BrokenRule) { (self.at, self.broken) = (at, broken) }
}
