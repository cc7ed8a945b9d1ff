import Foundation
import HTTPTypes
package import SegueAccess
import SegueBase
import SegueFFmpeg
package import SegueOrigin
import Synchronization

/// The gate that grants or denies access before anything else of a request is evaluated.
package final class AccessGate: Sendable {
    package struct Rules: Sendable {
        /// True if no key is required.
        package var isOpen: Bool
        /// True if clients use TLS.
        package var isSecure: Bool
        /// The origins whose pages may read responses.
        package var origins: CrossOrigin
        /// The digest of the key for televisions, which is announced to everyone in the network; nil for none.
        package var televisions: SecretDigest?

        package init(
            isOpen: Bool,
            isSecure: Bool = false,
            origins: CrossOrigin = .none,
            televisions: SecretDigest? = nil
        ) {
            (self.isOpen, self.isSecure, self.origins, self.televisions) = (isOpen, isSecure, origins, televisions)
        }
    }

    /// An event for the operator of the server.
    package enum News: Sendable, Equatable {
        /// A login with a wrong name or password, or one that was rejected without a check because of too many
        /// attempts.
        case failedLogin(name: String, address: String, isLookedAt: Bool)
        /// A request with an invalid key; reported for each address at counts of 1, 2, 4, 8, and so on.
        case wrongKey(address: String, count: Int)
        /// A number of failed logins and invalid keys that were too many to report.
        case omitted(count: Int)
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

    /// The keys and people, and the page to log in with.
    struct Guarded: Sendable {
        let cache: AccessCache
        let page: LoginPage
    }

    /// The maximum length of a form in bytes.
    static let formLimit = 8192

    package var rules: Rules { ruled.withLock { $0 } }
    private let ruled: Mutex<Rules>
    /// Nil for an open server.
    private let guarded: Guarded?
    private let passwords: PasswordChecker
    private let invalidKeys = Mutex(InvalidKeyCounts())
    private let budget = Mutex(NewsBudget())
    private let clock: @Sendable () -> Double
    let now: @Sendable () -> Int64
    let news: @Sendable (News) -> Void

    /// - Parameters:
    ///   - guarded: The database, and the files of the login page; nil for an open server.
    ///   - now: The time in seconds since 1970.
    ///   - clock: A monotonic time in seconds.
    ///   - news: Receives events for the operator.
    /// - Throws: ``AccessFailure`` if the database cannot be read; ``PageFailure``.
    package init(
        _ rules: Rules,
        guarded: (records: any AccessRecords, page: PageFiles)? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        clock: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime },
        news: @escaping @Sendable (News) -> Void = { _ in }
    ) throws {
        precondition(rules.isOpen || guarded != nil, "a gate that requires keys needs a database of them")
        (self.now, self.clock, self.news) = (now, clock, news)
        ruled = Mutex(rules)
        passwords = PasswordChecker(clock: clock)
        self.guarded = try guarded.map { guarded in
            Guarded(
                cache: try AccessCache(guarded.records) { news(.trouble($0)) },
                page: try LoginPage(guarded.page)
            )
        }
    }

    /// Replaces the origins whose pages may read responses.
    func change(_ origins: CrossOrigin) { ruled.withLock { $0.origins = origins } }

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - form: Reads the body, up to a limit in bytes.
    /// - Returns: The decision.
    func decide(
        _ request: OriginRequest,
        from address: String,
        form: (Int) async throws -> [UInt8]
    ) async -> Decision {
        let origin = request.headers[.origin]
        if request.method == "OPTIONS", rules.origins.allows(origin),
            request.headers[.accessControlRequestMethod] != nil
        {
            return answered(rules.origins.preflight(for: origin), request)
        }
        let asked = GatedRequest(
            request: request,
            credentials: Credentials(of: request, cookie: cookieName),
            address: address
        )
        guard let guarded, !rules.isOpen else { return open(asked) }
        let book = await guarded.cache.book
        if request.method == "POST", asked.query == "login" {
            guard isOfOwnPage(request) else { return answered(AccessResponses.foreignPage, request) }
            return answered(await logIn(asked, in: book, guarded: guarded, form: form), request)
        }
        guard let visitor = await visitor(asked, in: book, cache: guarded.cache) else {
            let inner = asked.credentials.request
            if Self.isSafe(inner.method), inner.isForEveryone {
                return isOfThisMachine(request, address) ? .letIn(inner) : .health(inner)
            }
            let language = Self.language(asked.query)
            return answered(AccessResponses.refusal(request, guarded.page, in: language), request)
        }
        guard Self.isSafe(request.method) || isOfOwnPage(request) else {
            return answered(AccessResponses.foreignPage, request)
        }
        if request.method == "POST", asked.query == "logout" {
            return answered(await logOut(asked.credentials, guarded.cache), request)
        }
        return letIn(asked, visitor)
    }

    /// Returns true if the credentials of a request that was let in still open the server.
    ///
    /// A password is not hashed again; it is valid until it is changed.
    ///
    /// - Parameters:
    ///   - visitor: The visitor that was let in.
    ///   - request: The request as received.
    ///   - password: The visitor's password at that time.
    func stillAdmits(_ visitor: Visitor, by request: OriginRequest, password: PasswordHash?) async -> Bool {
        guard let guarded, !rules.isOpen else { return true }
        let (book, now) = (await guarded.cache.book, now())
        switch Credentials(of: request, cookie: cookieName).kind {
        case .path(let key?), .query(let key?), .bearer(let key?):
            return visitor.scope == .televisions || book.key(key, at: now) != nil
        case .session(let token): return book.session(token, at: now) != nil
        case .password(_, let text):
            if let key = AccessKey(text), book.key(key, at: now) != nil { return true }
            return book.people.contains { $0.password == password && Visitor($0).identity == visitor.identity }
        case .path(nil), .query(nil), .bearer(nil), .nothing: return request.isForEveryone
        }
    }

    /// The person behind a visitor, as far as the last reading of the database shows.
    func person(_ visitor: Visitor) -> Person? {
        guarded?.cache.latest.people.first { Visitor($0).identity == visitor.identity }
    }

    /// The response with a private cache policy if a key is required.
    func finish(_ response: OriginResponse) -> OriginResponse {
        guard !rules.isOpen, let kept = response.headers[.cacheControl], kept.hasPrefix("public") else {
            return response
        }
        var response = response
        response.headers[.cacheControl] = "private" + kept.dropFirst("public".count)
        return response
    }

    private func open(_ asked: GatedRequest) -> Decision {
        guard Self.isSafe(asked.request.method) || isOfOwnPage(asked.request) else {
            return answered(AccessResponses.foreignPage, asked.request)
        }
        // Addresses with a key stay valid on an open server.
        if case .path(nil) = asked.credentials.kind { return .letIn(asked.request) }
        return letIn(asked, Visitor())
    }

    private func letIn(_ asked: GatedRequest, _ visitor: Visitor) -> Decision {
        var inner = asked.credentials.request
        inner.visitor = visitor
        let path = inner.target.prefix { $0 != "?" }
        let isRead = inner.method == "GET" || inner.method == "HEAD"
        if !inner.mount.isEmpty, !path.hasPrefix("/") {
            return answered(AccessResponses.seeOther("\(inner.mount)/\(inner.target)"), asked.request)
        }
        if case .query(.some(let key)) = asked.credentials.kind {
            // Players and pages resolve relative URIs against this address, so the key has to be in the path.
            if isRead, path == "/" || path.hasSuffix(".m3u8") {
                let address = "/k/\(key.text)\(Self.plain(inner.target))"
                return answered(AccessResponses.seeOther(address), asked.request)
            }
            inner.mount = "/k/\(key.text)"
        }
        return .letIn(inner)
    }

    private func visitor(_ asked: GatedRequest, in book: AccessBook, cache: AccessCache) async -> Visitor? {
        if isOfTelevision(asked) { return .television }
        switch asked.credentials.kind {
        case .path(let key), .query(let key), .bearer(let key):
            if let known = key.flatMap({ book.key($0, at: now()) }) { return Visitor(known) }
            countInvalidKey(asked.address)
            return nil
        case .password(let name, let password):
            if let known = AccessKey(password).flatMap({ book.key($0, at: now()) }) { return Visitor(known) }
            return switch await check(name, password, from: asked.address, in: book) {
            case .right(let person): Visitor(person)
            case .wrong, .wait, .busy: nil
            }
        case .session(let token):
            guard let (session, person) = book.session(token, at: now()) else { return nil }
            cache.note(session, at: now())
            return Visitor(person)
        case .nothing: return nil
        }
    }

    /// Returns true for a request from this network with the key for televisions in its path.
    private func isOfTelevision(_ asked: GatedRequest) -> Bool {
        guard let announced = rules.televisions, case .path(.some(let key)) = asked.credentials.kind else {
            return false
        }
        return announced.matches(key.digest) && !asked.request.isForwarded
    }

    func check(
        _ name: String,
        _ password: String,
        from address: String,
        in book: AccessBook
    ) async -> PasswordChecker.Outcome {
        let outcome = await passwords.check(name, password, from: address, in: book)
        switch outcome {
        case .right: break
        case .wrong: report(.failedLogin(name: name, address: address, isLookedAt: true))
        case .wait, .busy: report(.failedLogin(name: name, address: address, isLookedAt: false))
        }
        return outcome
    }

    private func countInvalidKey(_ address: String) {
        if let count = invalidKeys.withLock({ $0.add(address) }) { report(.wrongKey(address: address, count: count)) }
    }

    private func report(_ refusal: News) {
        let time = clock()
        guard let omitted = budget.withLock({ $0.take(at: time) }) else { return }
        if omitted > 0 { news(.omitted(count: omitted)) }
        news(refusal)
    }

    private func answered(_ response: OriginResponse, _ request: OriginRequest) -> Decision {
        var response = response
        response.headers += rules.origins.fields(for: request.headers[.origin]).filter { field in
            response.headers[field.name] == nil
        }
        if request.method == "HEAD" { response.body = .empty }
        return .answered(response)
    }
}

struct GatedRequest {
    let request: OriginRequest
    let credentials: Credentials
    /// The client's address.
    let address: String

    /// The query without credentials, or nil without one.
    var query: Substring? { credentials.request.target.split(separator: "?", maxSplits: 1).dropFirst().first }
}

extension Visitor {
    fileprivate init(_ key: KeyEntry) { self.init(identity: "key-\(key.id)", name: key.name, folders: key.folders) }

    fileprivate init(_ person: Person) {
        self.init(identity: "person-\(person.id)", name: person.name, folders: person.folders)
    }
}
