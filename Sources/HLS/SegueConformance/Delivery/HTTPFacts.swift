/// One answer of a server, without its body.
package struct HTTPAnswer: Sendable, Equatable {
    /// Why an answer did not come, or not whole.
    package enum Trouble: Sendable, Equatable {
        /// The server's certificate is not to be trusted, or there is no TLS.
        case untrusted
        /// Redirects lead in a circle, are too many, or lead to what is not HTTP.
        case redirects
        /// It has more bytes than are read.
        case tooLarge
        /// Its body ended before its announced length.
        case truncated
        /// It is not encoded as it says.
        case undecodable
        /// Nothing came, or next to nothing, for as long as is waited.
        case late
        /// Any other.
        case other
    }

    /// The status; 0 when there was no answer.
    package var status: Int

    /// The header fields, names in lower case.
    package var headers: [String: String]

    /// How many bytes came, after decoding.
    package var size: Int

    /// Why there was no answer, or no whole one; empty where there was one.
    package var failure: String

    /// The kind of the failure; nil where there was none, or its kind does not matter.
    package var trouble: Trouble?

    /// How long it took, in seconds.
    package var seconds = 0.0

    /// How long its head took, in seconds.
    package var headSeconds = 0.0

    /// The version of HTTP, such as `1.1` or `2`; empty where it is not known.
    package var version = ""

    /// Whether the body is what was asked for; nil where that was not looked at.
    package var isTrue: Bool?

    /// An answer.
    package init(status: Int, headers: [String: String] = [:], size: Int = 0, failure: String = "") {
        (self.status, self.headers, self.size, self.failure) = (status, headers, size, failure)
    }

    /// Whether it is what was wished for, all of it or a part.
    package var isThere: Bool { status == 200 || status == 206 }

    /// The media type without parameters, in lower case.
    var mediaType: String {
        let value = headers["content-type"] ?? ""
        return String(value.prefix { $0 != ";" && $0 != " " }).lowercased()
    }
}

/// What is known of a resource from HTTP.
package struct HTTPFacts: Sendable, Equatable {
    /// What a resource is for.
    package enum Role: String, Sendable {
        /// A playlist.
        case playlist
        /// An initialization section.
        case initialization
        /// A segment.
        case segment
        /// A key.
        case key
    }

    /// The bytes that a request was for.
    package struct Span: Sendable, Equatable {
        /// The first, from 0.
        package var offset: Int64
        /// How many.
        package var length: Int64

        /// A stretch of bytes.
        package init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }
    }

    /// A redirect that was met.
    package struct Redirect: Sendable, Equatable {
        /// The status.
        package var status: Int
        /// Where it leads.
        package var target: String

        /// A redirect.
        package init(status: Int, target: String) { (self.status, self.target) = (status, target) }
    }

    /// What it is for.
    package var role: Role

    /// Its URL as asked for.
    package var url: String

    /// Where it came from after redirects.
    package var finalURL: String

    /// The redirects on the way, in order.
    package var redirects: [Redirect] = []

    /// The part that the playlist names; nil for the whole.
    package var span: Span?

    /// The site that asked, as browsers tell it; nil where none was told.
    package var origin: String?

    /// What its body is, as far as its first bytes tell.
    package var body: BodyKind?

    /// The answer to GET.
    package var get: HTTPAnswer

    /// The answer to the same GET later, which is true where it has the same bytes; nil when not asked.
    package var again: HTTPAnswer?

    /// The answer to a GET that takes no encoding; nil when not asked.
    package var plain: HTTPAnswer?

    /// The answer to a GET without the headers of one's own and without the URL's query; nil when not asked.
    package var bare: HTTPAnswer?

    /// The answer to the question of a browser whether it may ask (OPTIONS); nil when not asked.
    package var preflight: HTTPAnswer?

    /// The answer to HEAD; nil when not asked.
    package var head: HTTPAnswer?

    /// The answer to a GET of the first byte alone; nil when not asked.
    package var range: HTTPAnswer?

    /// The answer to a GET of the second byte and of the last two; nil when not asked.
    package var severalRanges: HTTPAnswer?

    /// The answer to a GET of the first byte alone if the entity tag were another; nil when not asked.
    package var otherRange: HTTPAnswer?

    /// The answer to a GET of a range beyond the end; nil when not asked.
    package var beyond: HTTPAnswer?

    /// The answer to a GET with the entity tag that was given; nil when not asked.
    package var unchanged: HTTPAnswer?

    /// The answer to a GET beside it of a name that is not there; nil when not asked.
    package var missing: HTTPAnswer?

    /// A resource.
    package init(_ role: Role, url: String, finalURL: String? = nil, get: HTTPAnswer) {
        (self.role, self.url, self.finalURL, self.get) = (role, url, finalURL ?? url, get)
    }
}
