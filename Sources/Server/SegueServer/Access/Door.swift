import Foundation
package import SegueAccess
import SegueBase
import SegueFFmpeg
package import SegueOrigin
import Synchronization

/// Lets requests in, or not, before anything else is looked at.
package final class Door: Sendable {
    /// Whom it lets in.
    package struct Rules: Sendable {
        /// Whether everybody is let in.
        package var isOpen: Bool
        /// Whether clients come over TLS.
        package var isSecure: Bool
        /// Whose pages may read the answers.
        package var origins: CrossOrigin

        /// Rules.
        package init(isOpen: Bool, isSecure: Bool = false, origins: CrossOrigin = .none) {
            (self.isOpen, self.isSecure, self.origins) = (isOpen, isSecure, origins)
        }
    }

    /// Something that whoever runs the server may want to know.
    package enum News: Sendable, Equatable {
        /// Somebody tried a name and a password that do not go together, or would have, but has to wait.
        case failedLogin(name: String, address: String, isLookedAt: Bool)
        /// Somebody had a key that opens nothing; told of each address when they are 1, 2, 4, 8 and so on.
        case wrongKey(address: String, count: Int)
        /// What is known can be read no more.
        case trouble(String)
    }

    /// What becomes of a request.
    enum Decision: Sendable {
        /// It is answered as it is now, without what let it in.
        case letIn(OriginRequest)
        /// It asks for the server's health, of which it is told nothing more than that.
        case health(OriginRequest)
        /// This is its answer.
        case answered(OriginResponse)
    }

    /// The longest form that is read, in bytes.
    static let mostForm = 8192

    /// Whom it lets in.
    package var rules: Rules { ruled.withLock { $0 } }
    private let ruled: Mutex<Rules>
    /// Keys, people, and the page to log in with; nil where everybody is let in.
    private let guarded: (desk: AccessDesk, login: LoginPage)?
    private let passwords: PasswordDesk
    private let wrongKeys = Mutex(WrongKeys())
    private let now: @Sendable () -> Int64
    private let news: @Sendable (News) -> Void

    /// A door.
    ///
    /// - Parameters:
    ///   - rules: Whom it lets in.
    ///   - guarded: Keys and people, and the files of the page to log in with; nil where everybody is let in.
    ///   - now: The time, in seconds since 1970.
    ///   - clock: The time in seconds, from any beginning, which nobody sets.
    ///   - news: Told what whoever runs the server may want to know.
    /// - Throws: ``AccessFailure`` where keys and people cannot be read; ``PageFailure``.
    package init(
        _ rules: Rules,
        guarded: (records: any AccessRecords, page: PageFiles)? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        clock: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime },
        news: @escaping @Sendable (News) -> Void = { _ in }
    ) throws {
        precondition(rules.isOpen || guarded != nil, "a door that is not open needs to know who may come in")
        (self.now, self.news) = (now, news)
        ruled = Mutex(rules)
        passwords = PasswordDesk(clock: clock)
        self.guarded = try guarded.map { guarded in
            (try AccessDesk(guarded.records) { news(.trouble($0)) }, try LoginPage(guarded.page))
        }
    }

    /// Lets pages of other origins read the answers from now on.
    func change(_ origins: CrossOrigin) { ruled.withLock { $0.origins = origins } }

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - request: The request as it came.
    ///   - address: Where it comes from.
    ///   - form: Reads its body, of at most so many bytes.
    /// - Returns: What becomes of it.
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
            if Self.asksForHealth(credentials.request) {
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

    /// An answer as it is given here: what is not for everybody is not kept by caches for everybody.
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
        // An address with a key goes on working where everybody is let in.
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
            // Players and pages ask for what is named relative to this: it has to stand in the path.
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

// Logging in and out.
extension Door {
    /// What the session's cookie is called; over TLS so that no other host can set it (RFC 6265bis, section 4.1.3.2).
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
            // Never one that was there before: whoever put it there would be logged in, too.
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

    /// The language that a query asks for; nil where it asks for none.
    private static func language(_ query: Substring?) -> String? {
        query.flatMap { fields(Array($0.utf8)) }?["language"]
    }

    /// The fields of a form as browsers send it; nil where it is none.
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

    /// The path that a target asks for, and never another host.
    private static func place(_ target: String) -> String {
        plain(String(target.prefix { $0 != "?" && $0 != "#" }))
    }

    /// A target that begins with one slash and has nothing in it that could end a header field.
    private static func plain(_ target: String) -> String {
        let rest = target.drop { $0 == "/" || $0 == "\\" }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return "/" }
        return "/" + rest
    }
}

// What a request says of itself.
extension Door {
    private static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    private static func asksForHealth(_ request: OriginRequest) -> Bool {
        isSafe(request.method) && request.target.prefix { $0 != "?" } == "/health"
    }

    /// Whether it comes from this machine, and no other server stands between that says that it asks for somebody.
    private func isOfThisMachine(_ request: OriginRequest, _ address: String) -> Bool {
        guard address.hasPrefix("127.") || address == "::1" || address == "::ffff:127.0.0.1" else { return false }
        return ["Forwarded", "X-Forwarded-For", "Via"].allSatisfy { request.header($0) == nil }
    }

    /// Whether no page of somebody else had it sent: a browser tells, and what is no browser says nothing of that.
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
    /// Whoever has a key.
    fileprivate init(_ key: KeyEntry) { self.init(identity: "key-\(key.id)", name: key.name, folders: key.folders) }

    /// Somebody with a name and a password.
    fileprivate init(_ person: Person) {
        self.init(identity: "person-\(person.id)", name: person.name, folders: person.folders)
    }
}

/// How many wrong keys came from where; bounded.
private struct WrongKeys {
    private static let most = 1024

    private var counts: [String: Int] = [:]

    /// Counts one more.
    ///
    /// - Returns: How many they are, where that is to be told.
    mutating func add(_ address: String) -> Int? {
        if counts[address] == nil, counts.count >= Self.most { counts = [:] }
        counts[address, default: 0] &+= 1
        let count = counts[address] ?? 1
        return count & (count - 1) == 0 ? count : nil
    }
}
