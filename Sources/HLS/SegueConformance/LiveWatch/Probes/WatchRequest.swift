package import SegueBase

/// Something that a watch wants to have from a server.
package struct WatchRequest: Sendable, Hashable {
    /// How it is asked for.
    package enum Method: String, Sendable {
        /// All of it.
        case get = "GET"
        /// Its head alone.
        case head = "HEAD"
        /// Its first byte alone, of a server that does not answer HEAD.
        case firstByte = "BYTE"
    }

    /// How.
    package let method: Method

    /// What, absolute.
    package let url: String

    /// When.
    package let at: Instant

    /// How long all of it may take.
    package let patience: Duration

    /// Whether the server is asked to wait with its answer.
    package let mayBlock: Bool

    /// The most bytes that the answer may have; nil for as many as is usual.
    package var most: Int?
}

/// What came of a request.
package struct WatchAnswer: Sendable {
    /// How it was asked for.
    package var method: WatchRequest.Method
    /// What was asked for, absolute.
    package var url: String
    /// When it was asked for.
    package var began: Instant
    /// When all of the answer was there, or it failed.
    package var ended: Instant
    /// The HTTP status; 0 where there was no answer.
    package var status: Int
    /// The header fields, names in lower case.
    package var headers: [String: String]
    /// Where it came from after redirects.
    package var finalURL: String
    /// The body.
    package var bytes: [UInt8]
    /// Why there was no whole answer; nil where there was one.
    package var failure: String?

    /// An answer.
    package init(
        method: WatchRequest.Method = .get,
        url: String,
        began: Instant,
        ended: Instant,
        status: Int,
        headers: [String: String] = [:],
        finalURL: String? = nil,
        bytes: [UInt8] = [],
        failure: String? = nil
    ) {
        (self.method, self.url, self.began, self.ended) = (method, url, began, ended)
        (self.status, self.headers, self.finalURL) = (status, headers, finalURL ?? url)
        (self.bytes, self.failure) = (bytes, failure)
    }

    /// Whether it came whole, and is what was asked for.
    var isThere: Bool { failure == nil && (status == 200 || status == 206) }

    /// What went wrong, for a sentence.
    var trouble: String { failure ?? "it is answered with \(status)" }
}

/// What a watch wants next, and what it has found.
package struct WatchStep: Sendable {
    /// What it wants.
    package var requests: [WatchRequest] = []
    /// What it has found.
    package var findings: [LiveFinding] = []
}

/// A rule that was broken, and when that was seen.
package struct LiveFinding: Sendable, Hashable {
    /// When it was seen.
    package let at: Instant
    /// What was broken where.
    package let broken: BrokenRule

    /// A finding.
    package init(at: Instant, broken: BrokenRule) { (self.at, self.broken) = (at, broken) }
}
