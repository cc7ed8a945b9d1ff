internal import Foundation
internal import SegueBase
public import SegueFetch

/// Fetches one resource over HTTP.
///
/// `try await HTTPFetcher("https://example.org/feed").fetch().json(Feed.self)` is all that it takes. It is used once. Whoever calls ``cancel()`` hears nothing of it afterwards, and the connection is closed; only a
/// ``fetch()`` that waits ends, with `CancellationError`.
public final class HTTPFetcher: @unchecked Sendable {
    // Sendable: `state` is only touched with `lock` locked, and nothing else changes.

    /// How long to wait for what.
    public struct Timeouts: Sendable {
        /// For a connection.
        public var connecting = Duration.seconds(15)
        /// For the next byte.
        public var idle = Duration.seconds(30)
        /// For all of it; nil for as long as bytes come.
        public var whole: Duration?

        /// The usual ones, unless told otherwise; each above zero.
        ///
        /// - Parameters:
        ///   - connecting: How long for a connection.
        ///   - idle: How long for the next byte.
        ///   - whole: How long for all of it; nil for as long as bytes come.
        public init(connecting: Duration = .seconds(15), idle: Duration = .seconds(30), whole: Duration? = nil) {
            (self.connecting, self.idle, self.whole) = (connecting, idle, whole)
        }
    }

    /// Takes what came of it.
    public typealias Completion = @Sendable (Result<FetchAnswer, HTTPFailure>) -> Void

    private struct State {
        var completion: Completion?
        /// Told in the completion's place when it is cancelled.
        var cancelled: (@Sendable () -> Void)?
        var isCancelled = false
        /// Where the next request goes.
        var url: String
        /// How often that was changed to another server than the one that was asked before.
        var moves = 0
        var fetcher: LiveFetcher?
        var requests = 0
        var response: FetchResponse?
        var body: [UInt8] = []
        var credential: FetchCredential?
        var refusals = 0
    }

    /// Headers that only the server that was asked first gets, as libcurl does it with redirects (CVE-2018-1000007).
    private static let `private`: Set<String> = ["authorization", "cookie"]

    /// How often servers may send a request on to one that asks for a password.
    private static let mostMoves = 5

    private let method: String?
    private let headers: [(name: String, value: String)]
    private let body: [UInt8]?
    private let timeouts: Timeouts
    private let limit: Int
    private let followsRedirects: Bool
    private let credentials: (any CredentialGiving)?
    // Recursive, so that a completion may cancel: it is called with the lock held, so that none comes after a cancel.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "segue-http-fetcher")
    private var state: State

    /// A fetch of a URL.
    ///
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - method: The method; nil for GET, or POST where there is a body.
    ///   - headers: Further header fields.
    ///   - body: What is sent; nil for nothing.
    ///   - timeouts: How long to wait for what.
    ///   - limit: The most bytes that the answer may have, from 0.
    ///   - followsRedirects: Whether a redirect is followed; else it is the answer.
    ///   - credentials: Asked for a name and a password when the server wants them; not kept alive.
    public init(
        _ url: String,
        method: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeouts: Timeouts = Timeouts(),
        limit: Int = 64 << 20,
        followsRedirects: Bool = true,
        credentials: (any CredentialGiving)? = nil
    ) {
        state = State(url: url)
        (self.method, self.headers, self.body) = (method, headers, body)
        (self.timeouts, self.limit, self.credentials) = (timeouts, limit, credentials)
        self.followsRedirects = followsRedirects
    }

    /// Begins, and calls back once, on a thread of its own, unless it is cancelled before; not to be called twice.
    ///
    /// - Parameter completion: Gets the answer of a status below 400, or why there is none.
    public func start(_ completion: @escaping Completion) { start(completion, cancelled: {}) }

    private func start(_ completion: @escaping Completion, cancelled: @escaping @Sendable () -> Void) {
        lock.lock()
        defer { lock.unlock() }
        precondition(state.requests == 0 && state.completion == nil, "a fetcher is used once")
        guard !state.isCancelled else { return cancelled() }
        (state.completion, state.cancelled) = (completion, cancelled)
        do throws(FetchError) {
            // The engine delivers with its own lock held, so nothing is done there.
            state.fetcher = try LiveFetcher(FetchRecipient { [self] event in queue.async { self.take(event) } })
            ask()
        } catch {
            let failure = HTTPFailure(.transport(error.reason), error.description, answer: nil)
            state.requests += 1
            queue.async { self.end(.failure(failure)) }
        }
    }

    /// Fetches, and waits without blocking a thread; cancelling the task cancels it.
    ///
    /// - Returns: The answer, of a status below 400.
    /// - Throws: ``HTTPFailure``, or `CancellationError` where the task or the fetcher was cancelled.
    public func fetch() async throws -> FetchAnswer {
        let waiting = FetchWaiting()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting.hold(continuation) else { return }
                start(
                    { result in waiting.end(result.mapError { $0 as any Error }) },
                    cancelled: { waiting.end(.failure(CancellationError())) }
                )
            }
        } onCancel: {
            cancel()
            waiting.end(.failure(CancellationError()))
        }
    }

    /// Stops: when it returns, nothing is called back any more, and the connection is closed or about to be.
    ///
    /// What was not begun by then never is.
    public func cancel() {
        lock.lock()
        defer { lock.unlock() }
        state.isCancelled = true
        state.completion = nil
        state.cancelled.take()?()
        if let fetcher = state.fetcher { fetcher.cancel(FetchID(state.requests), at: .zero) }
        state.fetcher = nil
    }

    private func ask() {
        state.requests += 1
        state.response = nil
        state.body = []
        var request = FetchRequest(
            id: FetchID(state.requests),
            url: state.url,
            isHead: method == "HEAD",
            headers: state.moves > 0 ? headers.filter { !Self.private.contains($0.name.lowercased()) } : headers,
            patience: timeouts.idle,
            limit: limit
        )
        request.method = method == "GET" || method == "HEAD" ? nil : method
        request.body = body
        request.followsRedirects = followsRedirects
        request.connectPatience = timeouts.connecting
        request.wholePatience = timeouts.whole
        request.credential = state.credential
        state.fetcher?.start(request, at: .zero)
    }

    private func take(_ event: FetchEvent) {
        guard let challenge = note(event), let credentials else { return }
        // Not with the lock held: whoever is asked may ask somebody else, and a cancel waits for nobody.
        let credential = credentials.credential(for: challenge)
        lock.lock()
        defer { lock.unlock() }
        guard state.completion != nil else { return }
        guard var credential else { return finish() }
        credential.scheme = challenge.scheme
        state.credential = credential
        ask()
    }

    /// Takes in what became of the request.
    ///
    /// - Returns: What the server wants to know before it answers, where there is somebody to be asked.
    private func note(_ event: FetchEvent) -> FetchChallenge? {
        lock.lock()
        defer { lock.unlock() }
        guard state.completion != nil, event.id == FetchID(state.requests) else { return nil }
        switch event {
        case .response(_, let response): state.response = response
        case .data(_, let more): state.body += more.bytes
        case .failed(_, let error):
            end(.failure(HTTPFailure(.transport(error.reason), error.description, answer: answer)))
        case .finished:
            if let challenge = challenge() { return challenge }
            finish()
        }
        return nil
    }

    private var answer: FetchAnswer? {
        state.response.map { FetchAnswer(status: $0.status, headers: $0.headers, url: $0.url, bytes: state.body) }
    }

    /// What a refusal asks for; nil where nobody is asked.
    private func challenge() -> FetchChallenge? {
        guard credentials != nil, let answer, answer.status == 401, let offer = FetchChallenge.offer(in: answer.headers)
        else { return nil }
        if FetchURL(answer.url)?.origin != FetchURL(state.url)?.origin {
            // A redirect led to another server, which is the one that asks: only it may be told, and nothing that was
            // meant for the first. What was to be sent with the request may have been dropped on the way.
            guard body == nil, method == nil || method == "GET" || method == "HEAD", state.moves < Self.mostMoves
            else { return nil }
            (state.url, state.credential, state.refusals) = (answer.url, nil, 0)
            state.moves += 1
        } else if state.credential != nil {
            state.refusals += 1
        }
        return FetchChallenge(url: answer.url, realm: offer.realm, scheme: offer.scheme, failures: state.refusals)
    }

    private func finish() {
        guard let answer else { return }
        guard answer.status < 400 else {
            let message = "the server answered \(answer.status): \(answer.url)"
            return end(.failure(HTTPFailure(.status(answer.status), message, answer: answer)))
        }
        end(.success(answer))
    }

    private func end(_ result: Result<FetchAnswer, HTTPFailure>) {
        lock.lock()
        defer { lock.unlock() }
        let completion = state.completion
        (state.completion, state.cancelled) = (nil, nil)
        state.fetcher = nil
        completion?(result)
    }
}
