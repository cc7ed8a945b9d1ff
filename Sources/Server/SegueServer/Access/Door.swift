import Foundation
package import SegueAccess
import SegueBase
import SegueFFmpeg
package import SegueOrigin
import Synchronization

/// The gate that grants or denies access before anything else of a request is evaluated.
package final class Door: Sendable {
    package struct Rules: Sendable {
        /// True if no key is required.
        package var isOpen: Bool
        /// True if clients use TLS.
        package var isSecure: Bool
        /// The origins whose pages may read responses.
        package var origins: CrossOrigin

        package init(isOpen: Bool, isSecure: Bool = false, origins: CrossOrigin = .none) {
            (self.isOpen, self.isSecure, self.origins) = (isOpen, isSecure, origins)
        }
    }

    /// An event for the operator of the server.
    package enum News: Sendable, Equatable {
        /// A login with a wrong name or password, or one that was rejected without a check because of too many
        /// attempts.
        case failedLogin(name: String, address: String, isLookedAt: Bool)
        /// A request with an invalid key; reported for each address at counts of 1, 2, 4, 8, and so on.
        case wrongKey(address: String, count: Int)
        /// The database became unreadable.
        case trouble(String)
    }

    enum Decision: Sendable {
        /// The request is admitted; its credentials are removed.
        case letIn(OriginRequest)
        /// A health check without a key, which gets only the first line.
        case health(OriginRequest)
        /// The request is denied, or the gate itself responds.
        case answered(OriginResponse)
    }

    /// The maximum length of a form in bytes.
    static let mostForm = 8192

    package var rules: Rules { ruled.withLock { $0 } }
    private let ruled: Mutex<Rules>
    /// The keys, the people, and the login page; nil for an open server.
    private let guarded: (desk: AccessDesk, login: LoginPage)?
    private let passwords: PasswordDesk
    private let wrongKeys = Mutex(WrongKeys())
    private let now: @Sendable () -> Int64
    private let news: @Sendable (News) -> Void

    /// - Parameters:
    ///   - rules: The rules.
    ///   - guarded: The database, and the files of the login page; nil for an open server.
    ///   - now: The time in seconds since 1970.
    ///   - clock: A monotonic time in seconds.
    ///   - news: Receives events for the operator.
    /// - Throws: ``AccessFailure`` if the database cannot be read; ``PageFiles/Failure``.
    package init(
        _ rules: Rules,
        guarded: (records: any AccessRecords, page: PageFiles)? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        clock: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime },
        news: @escaping @Sendable (News) -> Void = { _ in }
    ) throws {
        precondition(rules.isOpen || guarded != nil, "a gate that requires keys needs a database of them")
        (self.now, self.news) = (now, news)
        ruled = Mutex(rules)
        passwords = PasswordDesk(clock: clock)
        self.guarded = try guarded.map { guarded in
            (try AccessDesk(guarded.records) { news(.trouble($0)) }, try LoginPage(guarded.page))
        }
    }

    /// Replaces the origins whose pages may read responses.
    func change(_ origins: CrossOrigin) { ruled.withLock { $0.origins = origins } }

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - address: The client's address.
    ///   - form: Reads the body, up to a limit in bytes.
    /// - Returns: The decision.
    func decide(
        _ request: OriginRequest,
        from address: String,
        form: (Int) async throws -> [UInt8]
    ) async -> Decision {
        let origin = request.header("Origin")
        if request.method == "OPTIONS", rules.origins.allows(origin),
            request.header("Access-Control-Request-Method") != nil
        {
            return answered(rules.origins.preflight(for: origin), request)
        }
        let credentials = Credentials(of: request, cookie: cookieName)
        guard let guarded, !rules.isOpen else { return open(credentials, request) }
        let (desk, login) = guarded
        let book = await desk.book
        let query = credentials.request.target.split(separator: "?", maxSplits: 1).dropFirst().first
        if request.method == "POST", query == "login" {
            guard isOfOwnPage(request) else { return answered(AccessAnswers.foreignPage, request) }
            return answered(await logIn(credentials, request, book, guarded, address, form), request)
        }
        guard let visitor = await visitor(credentials, address, book, desk) else {
            if Self.isSafe(credentials.request.method), credentials.request.isForEveryone {
                return isOfThisMachine(request, address) ? .letIn(credentials.request) : .health(credentials.request)
            }
            return answered(AccessAnswers.refusal(request, login, in: Self.language(query)), request)
        }
        guard Self.isSafe(request.method) || isOfOwnPage(request) else {
            return answered(AccessAnswers.foreignPage, request)
        }
        if request.method == "POST", query == "logout" {
            return answered(await logOut(credentials, desk), request)
        }
        return letIn(credentials, visitor, request)
    }

    /// The response with a private cache policy if a key is required.
    func finish(_ answer: OriginResponse) -> OriginResponse {
        guard !rules.isOpen, let kept = answer.header("Cache-Control"), kept.hasPrefix("public") else { return answer }
        var answer = answer
        answer.set("Cache-Control", "private" + kept.dropFirst("public".count))
        return answer
    }

    private func open(_ credentials: Credentials, _ request: OriginRequest) -> Decision {
        guard Self.isSafe(request.method) || isOfOwnPage(request) else {
            return answered(AccessAnswers.foreignPage, request)
        }
        // // Addresses with a key stay valid on an open server.
        if case .path(nil) = credentials.kind { return .letIn(request) }
        return letIn(credentials, Visitor(), request)
    }

    private func letIn(_ credentials: Credentials, _ visitor: Visitor, _ request: OriginRequest) -> Decision {
        var question = credentials.request
        question.visitor = visitor
        let path = question.target.prefix { $0 != "?" }
        let isRead = request.method == "GET" || request.method == "HEAD"
        if !question.mount.isEmpty, !path.hasPrefix("/") {
            return answered(AccessAnswers.seeOther("\(question.mount)/\(question.target)"), request)
        }
        if case .query(.some(let key)) = credentials.kind {
            // // Players and pages resolve relative URIs against this address, so the key has to be in the path.
            if isRead, path == "/" || path.hasSuffix(".m3u8") {
                return answered(AccessAnswers.seeOther("/k/\(key.text)\(Self.plain(question.target))"), request)
            }
            question.mount = "/k/\(key.text)"
        }
        return .letIn(question)
    }

    private func visitor(
        _ credentials: Credentials,
        _ address: String,
        _ book: AccessBook,
        _ desk: AccessDesk
    ) async -> Visitor? {
        switch credentials.kind {
        case .path(let key), .query(let key), .bearer(let key):
            if let known = key.flatMap({ book.key($0, at: now()) }) { return Visitor(known) }
            noteWrongKey(address)
            return nil
        case .password(let name, let password):
            if let known = AccessKey(password).flatMap({ book.key($0, at: now()) }) { return Visitor(known) }
            return switch await check(name, password, address, book) {
            case .right(let person): Visitor(person)
            case .wrong, .wait, .busy: nil
            }
        case .session(let token):
            guard let (session, person) = book.session(token, at: now()) else { return nil }
            desk.note(session, at: now())
            return Visitor(person)
        case .nothing: return nil
        }
    }

    private func check(
        _ name: String,
        _ password: String,
        _ address: String,
        _ book: AccessBook
    ) async -> PasswordDesk.Outcome {
        let outcome = await passwords.check(name, password, from: address, in: book)
        switch outcome {
        case .right: break
        case .wrong: news(.failedLogin(name: name, address: address, isLookedAt: true))
        case .wait, .busy: news(.failedLogin(name: name, address: address, isLookedAt: false))
        }
        return outcome
    }

    private func noteWrongKey(_ address: String) {
        if let count = wrongKeys.withLock({ $0.add(address) }) { news(.wrongKey(address: address, count: count)) }
    }

    private func answered(_ answer: OriginResponse, _ request: OriginRequest) -> Decision {
        var answer = answer
        answer.headers += rules.origins.fields(for: request.header("Origin")).filter { field in
            answer.header(field.name) == nil
        }
        if request.method == "HEAD" { answer.body = .empty }
        return .answered(answer)
    }
}

// // MARK: Login and logout
extension Door {
    /// The name of the session's cookie; over TLS with a prefix that keeps other hosts from setting it (RFC 6265bis,
    /// section 4.1.3.2).
    private var cookieName: String { rules.isSecure ? "__Host-segue" : "segue" }

    private func cookie(_ value: String, seconds: Int64) -> (name: String, value: String) {
        let secure = rules.isSecure ? "; Secure" : ""
        return ("Set-Cookie", "\(cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax\(secure)")
    }

    private func logIn(
        _ credentials: Credentials,
        _ request: OriginRequest,
        _ book: AccessBook,
        _ guarded: (desk: AccessDesk, login: LoginPage),
        _ address: String,
        _ form: (Int) async throws -> [UInt8]
    ) async -> OriginResponse {
        let (desk, login) = guarded
        guard let body = try? await form(Self.mostForm), let fields = Self.fields(body),
            let password = fields["password"]
        else { return login.answer(to: request, in: nil, status: 400) }
        let (place, wish) = (Self.place(credentials.request.target), fields["language"])
        if let key = AccessKey(password), book.key(key, at: now()) != nil {
            return AccessAnswers.seeOther("/k/\(key.text)\(place)")
        }
        switch await check(fields["name"] ?? "", password, address, book) {
        case .wrong: return login.answer(to: request, in: wish, status: 401, .wrong)
        case .busy:
            return login.answer(to: request, in: wish, status: 503, .busy, headers: [("Retry-After", "5")])
        case .wait(let seconds):
            let headers = [(name: "Retry-After", value: "\(seconds)")]
            return login.answer(to: request, in: wish, status: 429, .wait(seconds: seconds), headers: headers)
        case .right(let person):
            // // Always a fresh token, against session fixation.
            let token = AccessKey.make()
            let session = Session(digest: token.digest, person: person.id, begun: now(), used: now())
            do {
                try await desk.change { records in
                    if let former = credentials.session { try records.end(former.digest) }
                    try records.begin(session)
                }
            } catch {
                news(.trouble("\(error)"))
                return login.answer(to: request, in: wish, status: 503, .busy)
            }
            return AccessAnswers.seeOther(place, headers: [cookie(token.text, seconds: Session.limit)])
        }
    }

    private func logOut(_ credentials: Credentials, _ desk: AccessDesk) async -> OriginResponse {
        if let session = credentials.session {
            do {
                try await desk.change { try $0.end(session.digest) }
            } catch {
                news(.trouble("\(error)"))
            }
        }
        return AccessAnswers.seeOther(
            credentials.request.mount + Self.place(credentials.request.target),
            headers: [cookie("", seconds: 0)]
        )
    }

    /// The language parameter of a query, or nil without one.
    private static func language(_ query: Substring?) -> String? {
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
    private static func plain(_ target: String) -> String {
        let rest = target.drop { $0 == "/" || $0 == "\\" }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return "/" }
        return "/" + rest
    }
}

// // MARK: The origin of requests
extension Door {
    private static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// Returns true if the request comes from this machine and not through a proxy.
    private func isOfThisMachine(_ request: OriginRequest, _ address: String) -> Bool {
        guard address.hasPrefix("127.") || address == "::1" || address == "::ffff:127.0.0.1" else { return false }
        return ["Forwarded", "X-Forwarded-For", "Via"].allSatisfy { request.header($0) == nil }
    }

    /// Returns true unless a page of another origin sent the request.
    ///
    /// Clients other than browsers do not declare an origin.
    private func isOfOwnPage(_ request: OriginRequest) -> Bool {
        let origin = request.header("Origin")
        if let origin, rules.origins.isNamed(origin) { return true }
        if let site = request.header("Sec-Fetch-Site") { return site == "same-origin" || site == "none" }
        guard let origin else { return true }
        let scheme = rules.isSecure ? "https" : "http"
        guard let host = request.header("Host") else { return false }
        return origin.lowercased() == "\(scheme)://\(host)".lowercased()
    }
}

extension Visitor {
    fileprivate init(_ key: KeyEntry) { self.init(identity: "key-\(key.id)", name: key.name, folders: key.folders) }

    fileprivate init(_ person: Person) {
        self.init(identity: "person-\(person.id)", name: person.name, folders: person.folders)
    }
}

/// A bounded count of invalid keys by address.
private struct WrongKeys {
    private static let most = 1024

    private var counts: [String: Int] = [:]

    /// Counts an invalid key.
    ///
    /// - Returns: The count if it is to be reported.
    mutating func add(_ address: String) -> Int? {
        if counts[address] == nil, counts.count >= Self.most { counts = [:] }
        counts[address, default: 0] &+= 1
        let count = counts[address] ?? 1
        return count & (count - 1) == 0 ? count : nil
    }
}
