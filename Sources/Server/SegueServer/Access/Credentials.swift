import Foundation
import HTTPTypes
import SegueAccess
import SegueBase
import SegueOrigin

/// The credentials of a request, and the request without them, so that no secret goes further.
struct Credentials: Sendable {
    /// The kinds of credentials; of several the first in this order counts.
    enum Kind: Sendable {
        /// A key in the path, `/k/KEY/…`; nil if it is malformed.
        case path(AccessKey?)
        /// A key in the query, `?key=KEY`.
        case query(AccessKey?)
        /// A key as a bearer token (RFC 6750).
        case bearer(AccessKey?)
        /// A name and a password, or any name and a key (RFC 7617).
        case password(name: String, password: String)
        /// The token of a browser's session.
        case session(AccessKey)
        case nothing
    }

    var kind = Kind.nothing
    /// The token of the browser's session, also if other credentials count.
    var session: AccessKey?
    /// The request without credentials; its target is in origin form.
    var request: OriginRequest

    /// Separates a request from its credentials.
    ///
    /// - Parameters:
    ///   - cookie: The name of the session's cookie.
    init(of request: OriginRequest, cookie: String) {
        self.request = request
        self.request.headers.removeAll { Self.secretFields.contains($0.name) }
        session = Self.cookies(request).first { $0.name == cookie }.flatMap { AccessKey($0.value) }
        if let session { kind = .session(session) }
        if let field = request.headers[.authorization] { kind = Self.authorization(field) ?? kind }
        var target = Self.originForm(request.target)
        if let key = Self.takeKey(fromQueryOf: &target) { kind = .query(AccessKey(key)) }
        if let key = Self.takeKey(fromPathOf: &target) {
            kind = .path(AccessKey(key))
            self.request.mount = "\(Self.mark)\(key)"
        }
        self.request.target = target
    }

    private static let mark = "/k/"
    private static let secretFields: Set<HTTPField.Name> = [.authorization, .cookie, .proxyAuthorization]

    /// The target without the scheme and authority of the absolute form.
    private static func originForm(_ target: String) -> String {
        for scheme in ["http://", "https://"] where target.hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        return target
    }

    /// Removes `/k/KEY` from the start of a target and returns the key; the rest may be empty.
    private static func takeKey(fromPathOf target: inout String) -> String? {
        guard target.hasPrefix(mark) else { return nil }
        let rest = target.dropFirst(mark.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        target = String(rest[end...])
        return String(rest[..<end])
    }

    /// Removes all `key=KEY` from the query of a target and returns the first key.
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
        request.headers[values: .cookie].flatMap { value in
            value.split(separator: ";").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { return nil }
                return (parts[0].trimmingCharacters(in: .whitespaces), String(parts[1]))
            }
        }
    }
}
