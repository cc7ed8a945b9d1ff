internal import Foundation
internal import SegueBase
public import SegueFetch

/// Fetches one resource over HTTP.
///
/// `try await HTTPFetcher("https://example.org/feed").fetch().json(Feed.self)` is a complete example. A fetcher is used
/// once. After ``cancel()``, no callback follows and the connection closes; only a waiting ``fetch()`` ends, with
/// `CancellationError`.
public final class HTTPFetcher: @unchecked Sendable {
    // Sendable, as `state` is accessed only with `lock` locked, and everything else is immutable.

    /// The time limits of a fetch.
    public struct Timeouts: Sendable {
        /// The limit for connecting.
        public var connecting = Duration.seconds(15)
        /// The limit for the next byte.
        public var idle = Duration.seconds(30)
        /// The limit for the whole fetch; nil for none.
        public var whole: Duration?

        /// Creates time limits, each above zero.
        ///
        /// - Parameters:
        ///   - connecting: The limit for connecting.
        ///   - idle: The limit for the next byte.
        ///   - whole: The limit for the whole fetch; nil for none.
        public init(connecting: Duration = .seconds(15), idle: Duration = .seconds(30), whole: Duration? = nil) {
            (self.connecting, self.idle, self.whole) = (connecting, idle, whole)
        }
    }

    /// Receives the result of a fetch.
    public typealias Completion = @Sendable (Result<FetchAnswer, HTTPFailure>) -> Void

    private struct State {
        var completion: Completion?
        /// Called instead of the completion after a cancellation.
        var cancelled: (@Sendable () -> Void)?
        var isCancelled = false
        /// The URL of the next request.
        var url: String
        /// The number of times that ``url`` changed to another server.
        var moves = 0
        var fetcher: LiveFetcher?
        var requests = 0
        var response: FetchResponse?
        var body: [UInt8] = []
        var credential: FetchCredential?
        var refusals = 0
    }

    /// Header fields that only the first server receives, as with libcurl's redirects (CVE-2018-1000007).
    private static let `private`: Set<String> = ["authorization", "cookie"]

    /// The maximum number of redirects to servers that require a password.
    private static let mostMoves = 5

    private let method: String?
    private let headers: [(name: String, value: String)]
    private let body: [UInt8]?
    private let timeouts: Timeouts
    private let limit: Int
    private let followsRedirects: Bool
    private let credentials: (any CredentialGiving)?
    // Recursive, so that a completion may cancel; it runs with the lock held, so that none follows a cancellation.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "segue-http-fetcher")
    private var state: State

    /// Creates a fetch.
    ///
    /// - Parameters:
    ///   - url: The absolute URL, with the scheme `http` or `https`.
    ///   - method: The method; nil for GET, or for POST with a body.
    ///   - headers: The header fields in addition to those that curl sends.
    ///   - body: The request body; nil for none.
    ///   - timeouts: The time limits for connecting, for the next byte, and for the whole fetch.
    ///   - limit: The maximum size of the response in bytes, from 0.
    ///   - followsRedirects: True if redirects are followed; otherwise a redirect is the response.
    ///   - credentials: Provides a name and password if the server requires them; held weakly.
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

    /// Starts the fetch, and calls back once on another thread unless it is cancelled first; must be called only once.
    ///
    /// - Parameter completion: Receives the response with a status below 400, or the failure.
    public func start(_ completion: @escaping Completion) { start(completion, cancelled: {}) }

    private func start(_ completion: @escaping Completion, cancelled: @escaping @Sendable () -> Void) {
        lock.lock()
        defer { lock.unlock() }
        precondition(state.requests == 0 && state.completion == nil, "a fetcher is used once")
        guard !state.isCancelled else { return cancelled() }
        (state.completion, state.cancelled) = (completion, cancelled)
        do throws(FetchError) {
            // The engine delivers with its lock held, so the work moves to a queue.
            state.fetcher = try LiveFetcher(FetchRecipient { [self] event in queue.async { self.take(event) } })
            ask()
        } catch {
            let failure = HTTPFailure(error, answer: nil)
            state.requests += 1
            queue.async { self.end(.failure(failure)) }
        }
    }

    /// Fetches without blocking a thread; cancelling the task cancels the fetch.
    ///
    /// - Returns: The response, with a status below 400.
    /// - Throws: ``HTTPFailure``, or `CancellationError` after a cancellation of the task or of the fetcher.
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

    /// Cancels the fetch: after the return, no callback follows, and the connection closes.
    ///
    /// A fetch that has not started never will.
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
            headers: state.moves > 0 ? headers.filter { !Self.private.contains($0.name.lowercased()) } : headers,
            patience: timeouts.idle,
            limit: limit
        )
        request.isHead = method == "HEAD"
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
        // Without the lock, as the provider may block, and a cancellation must not wait.
        let credential = credentials.credential(for: challenge)
        lock.lock()
        defer { lock.unlock() }
        guard state.completion != nil else { return }
        guard var credential else { return finish() }
        credential.scheme = challenge.scheme
        state.credential = credential
        ask()
    }

    /// Processes an event of the request.
    ///
    /// - Returns: The challenge to answer before the request continues; nil for none.
    private func note(_ event: FetchEvent) -> FetchChallenge? {
        lock.lock()
        defer { lock.unlock() }
        guard state.completion != nil, event.id == FetchID(state.requests) else { return nil }
        switch event {
        case .response(_, let response): state.response = response
        case .data(_, let more): state.body += more.bytes
        case .failed(_, let error):
            end(.failure(HTTPFailure(error, answer: answer)))
        case .finished:
            if let challenge = challenge() { return challenge }
            finish()
        }
        return nil
    }

    private var answer: FetchAnswer? {
        state.response.map { FetchAnswer(status: $0.status, headers: $0.headers, url: $0.url, bytes: state.body) }
    }

    /// The challenge of a refusal; nil if there is no provider.
    private func challenge() -> FetchChallenge? {
        guard credentials != nil, let answer, answer.status == 401, let offer = FetchChallenge.offer(in: answer.headers)
        else { return nil }
        if FetchURL(answer.url)?.origin != FetchURL(state.url)?.origin {
            // After a redirect, only the server that refused may receive the credential, and nothing meant for the
            // first server. A request body may have been dropped on the way.
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
