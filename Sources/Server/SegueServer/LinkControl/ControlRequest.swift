internal import SegueBase

/// A request to the control API, free of any HTTP library.
package struct ControlRequest: Sendable {
    /// The method, in capitals.
    package var method: String

    /// The path, without the query, its parts decoded.
    package var path: [String]

    /// The body.
    package var body: String

    /// The host that it names, with its port; nil where it names none.
    package var host: String?

    /// Whether a page of another origin sends it.
    package var isForeign: Bool

    /// A request.
    package init(_ method: String, _ path: String, body: String = "", host: String? = nil, isForeign: Bool = false) {
        self.method = method
        self.host = host
        self.path = path.prefix { $0 != "?" }.split(separator: "/").map { Self.decoded($0) }
        self.body = body
        self.isForeign = isForeign
    }

    /// A part of a path; one that is wrongly encoded is what it looks like.
    private static func decoded(_ part: Substring) -> String {
        PercentCoding.decode(part.utf8, plusIsSpace: false).map { String(decoding: $0, as: UTF8.self) } ?? String(part)
    }
}

/// An answer of the control API.
package struct ControlResponse: Sendable {
    /// The status.
    package var status: Int

    /// The media type of the body.
    package var type: String

    /// The body.
    package var body: [UInt8]

    /// The content security policy of a page; nil for anything else.
    package var securityPolicy: String?
}
