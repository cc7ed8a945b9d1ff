import HTTPTypes
import SegueAccess
import SegueBase
import SegueOrigin

extension AccessGate {
    /// The name of the session's cookie; over TLS with a prefix that keeps other hosts from setting it (RFC 6265bis,
    /// section 4.1.3.2).
    var cookieName: String { rules.isSecure ? "__Host-segue" : "segue" }

    private func cookie(_ value: String, seconds: Int64) -> HTTPFields {
        let secure = rules.isSecure ? "; Secure" : ""
        return [.setCookie: "\(cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax\(secure)"]
    }

    func logIn(
        _ asked: GatedRequest,
        in book: AccessBook,
        guarded: Guarded,
        form: (Int) async throws -> [UInt8]
    ) async -> OriginResponse {
        let (request, credentials, page) = (asked.request, asked.credentials, guarded.page)
        guard let body = try? await form(Self.formLimit), let fields = Self.fields(body),
            let password = fields["password"]
        else { return page.respond(to: request, in: nil, status: 400) }
        let (place, wish) = (Self.place(credentials.request.target), fields["language"])
        if let key = AccessKey(password), book.key(key, at: now()) != nil {
            return AccessResponses.seeOther("/k/\(key.text)\(place)")
        }
        switch await check(fields["name"] ?? "", password, from: asked.address, in: book) {
        case .wrong: return page.respond(to: request, in: wish, status: 401, .wrong)
        case .busy:
            return page.respond(to: request, in: wish, status: 503, .busy, headers: [.retryAfter: "5"])
        case .wait(let seconds):
            let headers: HTTPFields = [.retryAfter: "\(seconds)"]
            return page.respond(to: request, in: wish, status: 429, .wait(seconds: seconds), headers: headers)
        case .right(let person):
            // Always a fresh token, against session fixation.
            let token = AccessKey.make()
            let session = Session(digest: token.digest, person: person.id, begun: now(), used: now())
            do {
                try await guarded.cache.change { records in
                    if let former = credentials.session { try records.end(former.digest) }
                    try records.begin(session)
                }
            } catch {
                news(.trouble("\(error)"))
                return page.respond(to: request, in: wish, status: 503, .busy)
            }
            return AccessResponses.seeOther(place, headers: cookie(token.text, seconds: Session.limit))
        }
    }

    func logOut(_ credentials: Credentials, _ cache: AccessCache) async -> OriginResponse {
        if let session = credentials.session {
            do {
                try await cache.change { try $0.end(session.digest) }
            } catch {
                news(.trouble("\(error)"))
            }
        }
        return AccessResponses.seeOther(
            credentials.request.mount + Self.place(credentials.request.target),
            headers: cookie("", seconds: 0)
        )
    }

    /// The language parameter of a query, or nil without one.
    static func language(_ query: Substring?) -> String? {
        query.flatMap { fields(Array($0.utf8)) }?["language"]
    }

    /// Parses a form as browsers send it; nil if it is malformed.
    private static func fields(_ body: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.compactMap { part in
                PercentCoding.decode(part, plusIsSpace: true).flatMap { String(validating: $0, as: UTF8.self) }
            }
            guard texts.count == 2 else { return nil }
            fields[texts[0]] = texts[1]
        }
        return fields
    }

    /// The path of a target, never another host.
    private static func place(_ target: String) -> String {
        plain(String(target.prefix { $0 != "?" && $0 != "#" }))
    }

    /// A target that starts with a single slash and contains nothing that could end a header field.
    static func plain(_ target: String) -> String {
        let rest = target.drop { $0 == "/" || $0 == "\\" }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return "/" }
        return "/" + rest
    }
}
