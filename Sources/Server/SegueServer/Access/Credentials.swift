import Foundation
import SegueAccess
import SegueBase
import SegueOrigin

/// What a request brings along to be let in, and the request without it: a secret goes no further.
struct Credentials: Sendable {
    /// How somebody asks to be let in; of several ways the first in this order counts.
    enum Kind: Sendable {
        /// A key in the path, `/k/KEY/…`; nil for a text that is none.
        case path(AccessKey?)
        /// A key in the query, `?key=KEY`.
        case query(AccessKey?)
        /// A key as a bearer token (RFC 6750).
        case bearer(AccessKey?)
        /// A name and a password, or any name and a key (RFC 7617).
        case password(name: String, password: String)
        /// The token of a browser's session.
        case session(AccessKey)
        /// Nothing.
        case nothing
    }

    /// How somebody asks to be let in.
    var kind = Kind.nothing
    /// The token of the browser's session, whatever else there is.
    var session: AccessKey?
    /// The request as it would be without all that; its target is in origin form.
    var request: OriginRequest

    /// Takes a request apart.
    ///
    /// - Parameters:
    ///   - request: The request as it came.
    ///   - cookie: What the session's cookie is called.
    init(of request: OriginRequest, cookie: String) {
        self.request = request
        self.request.headers.removeAll { field in
            Self.secretFields.contains { field.name.lowercased() == $0 }
        }
        session = Self.cookies(request).first { $0.name == cookie }.flatMap { AccessKey($0.value) }
        if let session { kind = .session(session) }
        if let field = request.header("Authorization") { kind = Self.authorization(field) ?? kind }
        var target = Self.originForm(request.target)
        if let key = Self.takeKey(fromQueryOf: &target) { kind = .query(AccessKey(key)) }
        if let key = Self.takeKey(fromPathOf: &target) {
            kind = .path(AccessKey(key))
            self.request.mount = "\(Self.mark)\(key)"
        }
        self.request.target = target
    }

    private static let mark = "/k/"
    private static let secretFields = ["authorization", "cookie", "proxy-authorization"]

    /// A target without scheme and authority, where the client sent the absolute form.
    private static func originForm(_ target: String) -> String {
        for scheme in ["http://", "https://"] where target.hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        return target
    }

    /// Takes `/k/KEY` from the beginning; what is left begins as it did behind it, and may be empty.
    private static func takeKey(fromPathOf target: inout String) -> String? {
        guard target.hasPrefix(mark) else { return nil }
        let rest = target.dropFirst(mark.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        target = String(rest[end...])
        return String(rest[..<end])
    }

    /// Takes all of `key=KEY` from the query; the first counts.
    private static func takeKey(fromQueryOf target: inout String) -> String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let pairs = target[target.utf8.index(after: mark)...].utf8.split(
            separator: UInt8(ascii: "&"),
            omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        let keys = pairs.filter { $0.hasPrefix("key=") }
        guard let key = keys.first else { return nil }
        let rest = pairs.filter { !$0.hasPrefix("key=") }
        target = target[..<mark] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
        return String(key.dropFirst(4))
    }

    private static func authorization(_ field: String) -> Kind? {
        let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return nil }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "bearer": return .bearer(AccessKey(value))
        case "basic":
            guard let data = Data(base64Encoded: value),
                let text = String(data: data, encoding: .utf8),
                let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
            else { return .password(name: "", password: "") }
            return .password(name: String(text[..<colon]), password: String(text[text.utf8.index(after: colon)...]))
        default: return nil
        }
    }

    private static func cookies(_ request: OriginRequest) -> [(name: String, value: String)] {
        request.headers.filter { $0.name.lowercased() == "cookie" }.flatMap { field in
            field.value.split(separator: ";").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { return nil }
                return (parts[0].trimmingCharacters(in: .whitespaces), String(parts[1]))
            }
        }
    }
}
