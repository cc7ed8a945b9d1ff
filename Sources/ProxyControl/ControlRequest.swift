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

    private static func decoded(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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
}
