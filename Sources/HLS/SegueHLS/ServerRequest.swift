internal import SegueFetch

/// A request of a check to a server.
public struct ServerRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String

    /// The absolute URL with its query.
    public let url: String

    /// The header fields in order.
    public let headers: [(name: String, value: String)]

    /// The time of the request since the start of the check.
    ///
    /// During a watch, the server's clock must show this time. Otherwise it is zero.
    public let time: Duration

    /// The path of the URL with its query, as in a request line.
    public var target: String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let start = rest.firstIndex(where: { "/?#".contains($0) }) else { return "/" }
        let target = rest[start...].prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Returns the first header field with a name.
    ///
    /// - Parameter name: The name in any case.
    /// - Returns: The value of the field; nil if it is absent.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}

/// A response of a server.
public struct ServerAnswer: Sendable {
    /// The HTTP status.
    public var status: Int

    /// The header fields in order.
    public var headers: [(name: String, value: String)]

    /// The body as sent, compressed if there is a `Content-Encoding` field.
    public var body: [UInt8]

    /// The HTTP version, such as `2`; empty if it does not matter.
    public var version: String

    /// The time that the response took on the clock of the watch, zero or more.
    ///
    /// A server that holds a blocking reload (`_HLS_msn`) sets the waiting time here.
    public var took: Duration

    /// A response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code, such as 404.
    ///   - headers: The header fields in order.
    ///   - body: The body as sent, compressed if there is a `Content-Encoding` field.
    ///   - version: The HTTP version, such as `2`; empty if it does not matter.
    ///   - took: The time that the response took on the clock of the watch.
    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        version: String = "",
        took: Duration = .zero
    ) {
        (self.status, self.headers, self.body, self.version) = (status, headers, body, version)
        self.took = max(.zero, took)
    }

    /// A text response.
    ///
    /// - Parameters:
    ///   - text: The body, which is encoded as UTF-8.
    ///   - status: The HTTP status code, such as 404.
    ///   - headers: The header fields in order.
    ///   - took: The time that the response took on the clock of the watch.
    public init(
        _ text: String,
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        took: Duration = .zero
    ) {
        self.init(status: status, headers: headers, body: Array(text.utf8), took: took)
    }

    /// The response for a missing resource.
    public static var notFound: ServerAnswer { ServerAnswer(status: 404) }
}
