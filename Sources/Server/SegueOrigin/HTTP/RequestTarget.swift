import SegueBase

/// The path components and the query of a request target, decoded once and checked.
///
/// No component is ever used as a file name. Path traversal (`..`, encoded or doubly encoded, encoded slashes or
/// backslashes, NUL) is rejected all the same, as a second line of defense.
struct RequestTarget: Sendable, Equatable {
    /// The path's components; empty for `/`.
    let components: [String]

    let query: Query

    /// Parses a target.
    ///
    /// - Parameter target: The path and the query as sent, or the absolute form that a proxy sends.
    /// - Throws: ``OriginFailure`` with 400 or 414 for a target that no well-behaved client sends.
    init(_ target: String) throws(OriginFailure) {
        guard target.utf8.count <= 4096 else {
            throw OriginFailure(status: 414, code: "targetTooLong", message: "the request target exceeds 4096 bytes")
        }
        let (path, query) = Self.split(Substring(target))
        guard path.utf8.first == UInt8(ascii: "/") else { throw Self.refused }
        components =
            path.utf8.count == 1 ? [] : try Self.components(of: path.dropFirst())
        self.query = try Query(query)
    }

    private static let refused = OriginFailure(
        status: 400,
        code: "badTarget",
        message: "the request's path contains characters that this server does not use"
    )

    private static func components(of path: Substring) throws(OriginFailure) -> [String] {
        var components: [String] = []
        for raw in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            // A percent sign that remains after one decoding is refused as well.
            guard let bytes = PercentCoding.decode(raw, plusIsSpace: false),
                bytes.allSatisfy(PercentCoding.isPlain)
            else { throw refused }
            let component = String(decoding: bytes, as: UTF8.self)
            guard component != "..", component != "." else { throw refused }
            components.append(component)
        }
        return components
    }

    /// Splits a target into path and query, without the scheme and authority of the absolute form.
    private static func split(_ target: Substring) -> (path: Substring, query: Substring) {
        var target = target
        for scheme in ["http://", "https://"] where target.hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            target = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        if let fragment = target.utf8.firstIndex(of: UInt8(ascii: "#")) { target = target[..<fragment] }
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, "") }
        return (target[..<mark], target[target.utf8.index(after: mark)...])
    }
}
