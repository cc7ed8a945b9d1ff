package import SegueBase
package import SegueFetch

/// A response of a server without its body.
package struct HTTPAnswer: Sendable, Equatable {
    /// The kind of failure of an incomplete response.
    package enum Trouble: Sendable, Equatable {
        /// The certificate is not trusted, or the TLS handshake failed.
        case untrusted
        /// The redirects are circular, too many, or lead to another scheme than HTTP.
        case redirects
        /// The body exceeds the size limit.
        case tooLarge
        /// The body ended before its stated length.
        case truncated
        /// The body does not decode with its Content-Encoding.
        case undecodable
        /// The server timed out or sent too little.
        case late
        /// A failure of another kind.
        case other
    }

    /// The status; 0 without a response.
    package var status: Int

    /// The header fields, names in lower case.
    package var headers: [String: String]

    /// The number of received bytes after decoding.
    package var size: Int

    /// The failure as text; empty after a complete response.
    package var failure: Message

    /// The kind of failure; nil after a complete response.
    package var trouble: Trouble?

    /// The total time in seconds.
    package var seconds = 0.0

    /// The time to the first byte in seconds.
    package var headSeconds = 0.0

    /// The HTTP version, such as `1.1` or `2`; empty if it is unknown.
    package var version = ""

    /// The number of times that the server returned 429 or asked for a pause before this response.
    package var refusals = 0

    /// The number of requests of the validation to the same server in the ten seconds before.
    package var requestsBefore = 0

    /// The use of kept connections by the request.
    package var connection = ConnectionUse()

    /// True if the body is the expected one; nil if it was not compared.
    package var isTrue: Bool?

    package init(status: Int, headers: [String: String] = [:], size: Int = 0, failure: Message = "") {
        (self.status, self.headers, self.size, self.failure) = (status, headers, size, failure)
    }

    package var isThere: Bool { status == 200 || status == 206 }

    /// The status as a clause for messages, with the rate of the requests if it is the reason.
    var statusText: Message {
        guard status == 429 else { return "the server returned \(status)" }
        let rate: Message = "after \(requestsBefore) requests of this validation in 10 s"
        return "the server returned 429, \(rate); --rate limits them"
    }

    /// The media type without parameters, in lower case.
    var mediaType: String {
        let value = headers["content-type"] ?? ""
        return String(value.prefix { $0 != ";" && $0 != " " }).lowercased()
    }
}

// Size: one property for each header or property of a response that a rule reads.
/// The HTTP responses for a resource.
package struct HTTPFacts: Sendable, Equatable {
    /// The use of a resource.
    package enum Role: String, Sendable {
        case playlist, initialization, segment, key
    }

    /// The byte range of a request.
    package struct Span: Sendable, Hashable {
        package var offset: Int64
        package var length: Int64

        package init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
    }

    /// A redirect on the way to the resource.
    package struct Redirect: Sendable, Equatable {
        package var status: Int
        /// The absolute URL of the target.
        package var target: String

        package init(status: Int, target: String) { (self.status, self.target) = (status, target) }
    }

    package var role: Role

    /// The requested URL.
    package var url: String

    /// The URL after redirects.
    package var finalURL: String

    /// The redirects in order.
    package var redirects: [Redirect] = []

    /// The byte range of the playlist; nil for the whole resource.
    package var span: Span?

    /// The `Origin` of the request; nil without one.
    package var origin: String?

    /// The kind of the body by its first bytes.
    package var body: BodyKind?

    /// The response to GET.
    package var get: HTTPAnswer

    /// The response to the first of two GETs, if it failed and the second one, sent at once, succeeded.
    package var first: HTTPAnswer?

    /// The responses to a GET with the `User-Agent` of other clients, by the names of those.
    package var agents: [String: HTTPAnswer] = [:]

    /// The response to a repeated GET; `isTrue` if the bytes are the same.
    ///
    /// Nil without a request, as below.
    package var again: HTTPAnswer?

    /// The response to a GET with `Accept-Encoding: identity`.
    package var plain: HTTPAnswer?

    /// The response to a GET without the user's header fields and without the query of the URL.
    package var bare: HTTPAnswer?

    /// The response to a CORS preflight request (OPTIONS).
    package var preflight: HTTPAnswer?

    /// The response to HEAD.
    package var head: HTTPAnswer?

    /// The response to a GET of the first byte.
    package var range: HTTPAnswer?

    /// The response to a GET of two ranges: the second byte and the last two.
    package var severalRanges: HTTPAnswer?

    /// The response to a GET of the first byte with an If-Range that does not match.
    package var otherRange: HTTPAnswer?

    /// The response to a GET of a range beyond the end.
    package var beyond: HTTPAnswer?

    /// The response to a GET with the current entity tag in If-None-Match.
    package var unchanged: HTTPAnswer?

    /// The response to a GET of a missing resource beside it.
    package var missing: HTTPAnswer?

    /// The use of kept connections by all requests for the resource.
    package var connection: ConnectionUse {
        // The bare response may be that to GET.
        let others = [
            first, again, plain, preflight, head, range, severalRanges, otherRange, beyond, unchanged, missing,
        ]
        return (others.compactMap(\.self) + agents.values).reduce(into: get.connection) { $0.add($1.connection) }
    }

    package init(_ role: Role, url: String, finalURL: String? = nil, get: HTTPAnswer) {
        (self.role, self.url, self.finalURL, self.get) = (role, url, finalURL ?? url, get)
    }
}
