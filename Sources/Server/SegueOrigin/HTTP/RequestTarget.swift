import SegueBase

/// A request target taken apart: path components and query, decoded once and checked.
///
/// No component is ever used as a file name. Even so a target that tries to climb (`..`, encoded or doubly encoded,
/// slashes or backslashes in disguise, NUL) is refused as a whole, so that nothing behind this can be led astray.
struct RequestTarget: Sendable, Equatable {
    /// The path's components; empty for `/`.
    let components: [String]

    /// The query's parameters.
    let query: Query

    /// Takes a target apart.
    ///
    /// - Parameter target: Path and query as sent, or the absolute form that a proxy sends.
    /// - Throws: ``OriginFailure`` with 400 for a target that no client of good will sends.
    init(_ target: String) throws(OriginFailure) {
        guard target.utf8.count <= 4096 else {
            throw OriginFailure(status: 414, code: "targetTooLong", message: "the request target is too long")
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
        message: "the request's path is not one that this server uses"
    )

    private static func components(of path: Substring) throws(OriginFailure) -> [String] {
        var components: [String] = []
        for raw in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let bytes = PercentCoding.decode(raw, plusIsSpace: false), bytes.allSatisfy(isPlain) else {
                throw refused
            }
            let component = String(decoding: bytes, as: UTF8.self)
            guard component != "..", component != "." else { throw refused }
            components.append(component)
        }
        return components
    }

    /// Whether this is one of the bytes in this server's paths: a letter, a digit, dash, dot, underscore or tilde.
    ///
    /// A percent sign that is left after one decoding is not.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Path and query, without scheme and authority where the client sent the absolute form.
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
