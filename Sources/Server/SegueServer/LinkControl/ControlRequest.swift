internal import SegueBase

/// A request to the control API, without types of an HTTP library.
package struct ControlRequest: Sendable {
    /// The method in upper case.
    package var method: String

    /// The decoded parts of the path, without the query.
    package var path: [String]

    package var body: String

    /// The `Host` field; nil without one.
    package var host: String?

    /// True if a page of another origin sent it.
    package var isForeign: Bool

    package init(_ method: String, _ path: String, body: String = "", host: String? = nil, isForeign: Bool = false) {
        self.method = method
        self.host = host
        self.path = path.prefix { $0 != "?" }.split(separator: "/").map { Self.decoded($0) }
        self.body = body
        self.isForeign = isForeign
    }

    /// A decoded part of a path; a malformed one stays as it is.
    private static func decoded(_ part: Substring) -> String {
        PercentCoding.decode(part.utf8, plusIsSpace: false).map { String(decoding: $0, as: UTF8.self) } ?? String(part)
    }
}

package struct ControlResponse: Sendable {
    package var status: Int

    /// The media type of the body.
    package var type: String

    package var body: [UInt8]

    /// The content security policy of a page; nil for anything else.
    package var securityPolicy: String?
}
