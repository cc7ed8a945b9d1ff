internal import Foundation
internal import Timeline

/// Fetches one resource: `try await HTTPFetcher("https://example.org/feed").fetch().json(Feed.self)`.
///
/// It is used once. Whoever calls ``cancel()`` hears nothing of it afterwards, and the connection is closed.
package final class HTTPFetcher: @unchecked Sendable {
    // Sendable: `state` is only touched with `lock` locked, and nothing else changes.

    /// How long to wait for what.
    package struct Timeouts: Sendable {
        /// For a connection.
        package var connecting = Duration.seconds(15)
        /// For the next byte.
        package var idle = Duration.seconds(30)
        /// For all of it; nil for as long as bytes come.
        package var whole: Duration?

        /// The usual ones, unless told otherwise.
        package init(connecting: Duration = .seconds(15), idle: Duration = .seconds(30), whole: Duration? = nil) {
            (self.connecting, self.idle, self.whole) = (connecting, idle, whole)
        }
    }

    /// Takes what came of it.
    package typealias Completion = @Sendable (Result<FetchAnswer, HTTPFailure>) -> Void

    private struct State {
        var completion: Completion?
        var fetcher: LiveFetcher?
        var requests = 0
        var response: FetchResponse?
        var body: [UInt8] = []
        var credential: FetchCredential?
        var refusals = 0
    }

    private let url: String
    private let method: String?
    private let headers: [(name: String, value: String)]
    private let body: [UInt8]?
    private let timeouts: Timeouts
    private let limit: Int
    private let credentials: (any CredentialGiving)?
    // Recursive, so that a completion may cancel: it is called with the lock held, so that none comes after a cancel.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "segue-http-fetcher")
    private var state = State()

    /// A fetch of a URL.
    ///
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - method: The method; nil for GET, or POST where there is a body.
    ///   - headers: Further header fields.
    ///   - body: What is sent; nil for nothing.
    ///   - timeouts: How long to wait for what.
    ///   - limit: The most bytes that the answer may have.
    ///   - credentials: Asked for a name and a password when the server wants them; not kept alive.
    package init(
        _ url: String,
        method: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeouts: Timeouts = Timeouts(),
        limit: Int = 64 << 20,
        credentials: (any CredentialGiving)? = nil
    ) {
        (self.url, self.method, self.headers, self.body) = (url, method, headers, body)
        (self.timeouts, self.limit, self.credentials) = (timeouts, limit, credentials)
    }

    /// Begins, and calls back once, on a thread of its own, unless it is cancelled before.
    ///
    /// - Parameter completion: Gets the answer of a status below 400, or why there is none.
    package func start(_ completion: @escaping Completion) {
        lock.lock()
        defer { lock.unlock() }
        precondition(state.requests == 0, "a fetcher is used once")
        state.completion = completion
        do throws(FetchError) {
            // The engine delivers with its own lock held, so nothing is done there.
            state.fetcher = try LiveFetcher(deliver: { [self] event in queue.async { self.take(event) } })
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
    /// - Throws: ``HTTPFailure``, or `CancellationError` where the task was cancelled.
    package func fetch() async throws -> FetchAnswer {
        let waiting = Waiting()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting.hold(continuation) else { return }
                start { result in waiting.end(result.mapError { $0 as any Error }) }
            }
        } onCancel: {
            cancel()
            waiting.end(.failure(CancellationError()))
        }
    }

    /// Stops: when it returns, nothing is called back any more, and the connection is closed or about to be.
    package func cancel() {
        lock.lock()
        defer { lock.unlock() }
        state.completion = nil
        if let fetcher = state.fetcher { fetcher.cancel(FetchID(state.requests), at: .zero) }
        state.fetcher = nil
    }

    private func ask() {
        state.requests += 1
        state.response = nil
        state.body = []
        var request = FetchRequest(
            id: FetchID(state.requests),
            url: url,
            isHead: method == "HEAD",
            headers: headers,
            patience: timeouts.idle,
            limit: limit
        )
        request.method = method == "GET" || method == "HEAD" ? nil : method
        request.body = body
        request.connectPatience = timeouts.connecting
        request.wholePatience = timeouts.whole
        request.credential = state.credential
        state.fetcher?.start(request, at: .zero)
    }

    private func take(_ event: FetchEvent) {
        lock.lock()
        defer { lock.unlock() }
        guard state.completion != nil, event.id == FetchID(state.requests) else { return }
        switch event {
        case .response(_, let response): state.response = response
        case .data(_, let bytes): state.body += bytes
        case .failed(_, let error):
            end(.failure(HTTPFailure(.transport(error.reason), error.description, answer: answer)))
        case .finished: finish()
        }
    }

    private var answer: FetchAnswer? {
        state.response.map { FetchAnswer(status: $0.status, headers: $0.headers, url: $0.url, bytes: state.body) }
    }

    private func finish() {
        guard let answer else { return }
        if answer.status == 401, let scheme = FetchChallenge.scheme(of: answer.headers), let credentials {
            if state.credential != nil { state.refusals += 1 }
            let challenge = FetchChallenge(
                url: answer.url,
                realm: FetchChallenge.realm(of: answer.headers),
                scheme: scheme,
                failures: state.refusals
            )
            if var credential = credentials.credential(for: challenge) {
                credential.scheme = scheme
                state.credential = credential
                return ask()
            }
        }
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
        state.completion = nil
        state.fetcher = nil
        completion?(result)
    }
}

/// A task that waits for an answer, resumed once.
private final class Waiting: @unchecked Sendable {
    // Sendable: everything is only touched with `lock` locked.
    private let lock = NSLock()
    private var continuation: CheckedContinuation<FetchAnswer, any Error>?
    private var early: Result<FetchAnswer, any Error>?

    /// Keeps what waits; false where the end has come before.
    func hold(_ continuation: CheckedContinuation<FetchAnswer, any Error>) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if let early {
            continuation.resume(with: early)
            return false
        }
        self.continuation = continuation
        return true
    }

    func end(_ result: Result<FetchAnswer, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        if let continuation { continuation.resume(with: result) } else { early = early ?? result }
        continuation = nil
    }
}
