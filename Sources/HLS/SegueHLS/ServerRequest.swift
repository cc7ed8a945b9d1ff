internal import SegueFetch

/// What a check asks a server for.
public struct ServerRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String

    /// The absolute URL, with its query.
    public let url: String

    /// The header fields, in order.
    public let headers: [(name: String, value: String)]

    /// When it is asked, since the check began.
    ///
    /// Where a stream is watched, this is what the server's clock has to show; zero otherwise.
    public let time: Duration

    /// The path of the URL with its query, as a request line has it.
    public var target: String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let start = rest.firstIndex(where: { "/?#".contains($0) }) else { return "/" }
        let target = rest[start...].prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// The first header field of a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The field's value; nil where there is none.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}

/// What a server answers.
public struct ServerAnswer: Sendable {
    /// The HTTP status.
    public var status: Int

    /// The header fields, in order.
    public var headers: [(name: String, value: String)]

    /// The body.
    public var body: [UInt8]

    /// The version of HTTP, such as `2`; empty where it does not matter.
    public var version: String

    /// How long it took, as the time of a watch is to go on; zero or more.
    ///
    /// That is what a server waits that holds a request for a segment to come (`_HLS_msn`).
    public var took: Duration

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: The header fields, in order.
    ///   - body: The body.
    ///   - version: The version of HTTP, such as `2`; empty where it does not matter.
    ///   - took: How long it took, as the time of a watch is to go on.
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

    /// An answer of text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - status: The HTTP status.
    ///   - headers: The header fields, in order.
    ///   - took: How long it took, as the time of a watch is to go on.
    public init(
        _ text: String,
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        took: Duration = .zero
    ) {
        self.init(status: status, headers: headers, body: Array(text.utf8), took: took)
    }

    /// What a server says of what it does not have.
    public static var notFound: ServerAnswer { ServerAnswer(status: 404) }
}
