/// One answer of a server, without its body.
package struct HTTPAnswer: Sendable, Equatable {
    /// The status; 0 when there was no answer.
    package var status: Int

    /// The header fields, names in lower case.
    package var headers: [String: String]

    /// How many bytes came, after decoding.
    package var size: Int

    /// Why there was no answer; empty where there was one.
    package var failure: String

    /// How long it took, in seconds.
    package var seconds = 0.0

    /// Whether the body is what was asked for; nil where that was not looked at.
    package var isTrue: Bool?

    /// An answer.
    package init(status: Int, headers: [String: String] = [:], size: Int = 0, failure: String = "") {
        (self.status, self.headers, self.size, self.failure) = (status, headers, size, failure)
    }

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
    }

    /// What it is for.
    package var role: Role

    /// Its URL as asked for.
    package var url: String

    /// Where it came from after redirects.
    package var finalURL: String

    /// The answer to GET.
    package var get: HTTPAnswer

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
