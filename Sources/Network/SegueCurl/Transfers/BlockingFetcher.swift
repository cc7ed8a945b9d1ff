internal import Foundation
internal import SegueBase
package import SegueFetch

/// A blocking fetcher for a simulated player that plays from a real server.
///
/// A failed request returns the received part of the response with its failure, as in real time. A response of more
/// than ``mostHeld`` bytes fails as well, because it is held as a whole before it crosses the simulated network.
/// Several threads may fetch at once.
package final class BlockingFetcher: TimedFetching {
    /// The maximum size of a response, independent of the request's limit.
    package static let mostHeld = 512 << 20

    private let answers: Answers
    private let fetcher: LiveFetcher

    /// Creates a fetcher with its own connections.
    ///
    /// - Parameters:
    ///   - credentials: The credentials by host and port.
    ///   - most: The maximum size of a response.
    /// - Throws: ``FetchError`` if libcurl cannot be initialized.
    package init(credentials: [String: FetchCredential] = [:], most: Int = mostHeld) throws(FetchError) {
        let answers = Answers(most: most)
        self.answers = answers
        fetcher = try LiveFetcher(FetchRecipient { answers.take($0) }, credentials: credentials)
    }

    /// Fetches a resource; blocks until the response is complete or has failed.
    ///
    /// The request's patience limits the time, even if a server keeps sending single bytes.
    package func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let answer = timed(request)
        return (answer.response, FetchBytes(answer.body))
    }

    /// Fetches a resource like ``respond(to:)``, and measures the time.
    package func timed(_ request: FetchRequest) -> TimedAnswer {
        let begun = ContinuousClock.now
        // The simulated network decides on the connection and on the reading.
        var request = request
        (request.isUnread, request.lane, request.keepsConnection) = (false, "", false)
        answers.expect(request)
        fetcher.start(request, at: .zero)
        let answer = answers.wait(for: request) { fetcher.cancel(request.id, at: .zero) }
        let ended = ContinuousClock.now
        // Ends an endless response.
        fetcher.cancel(request.id, at: .zero)
        let answered = answer.answered ?? ended
        return TimedAnswer(
            response: answer.response,
            body: answer.body,
            firstByte: answered - begun,
            rest: max(.zero, ended - answered)
        )
    }
}

/// The received parts of responses.
private final class Answers: @unchecked Sendable {
    // Sendable, as all state is accessed only with `condition` locked.
    private static let leastProgress = 1024
    private let most: Int
    private let condition = NSCondition()
    private var responses: [FetchID: FetchResponse] = [:]
    private var answered: [FetchID: ContinuousClock.Instant] = [:]
    private var bodies: [FetchID: [UInt8]] = [:]
    private var ended: [FetchID: FetchError?] = [:]
    /// The requests with a waiting thread; events of others are ignored.
    private var open: [FetchID: FetchRequest] = [:]

    init(most: Int) { self.most = most }

    func expect(_ request: FetchRequest) {
        condition.lock()
        defer { condition.unlock() }
        open[request.id] = request
    }

    func take(_ event: FetchEvent) {
        condition.lock()
        defer { condition.unlock() }
        guard let request = open[event.id], ended[event.id] == nil else { return }
        switch event {
        case .response(let id, let response):
            responses[id] = response
            answered[id] = .now
            let isEndless = response.headers.contains { $0.name.hasPrefix("icy-") }
            if isEndless, !response.headers.contains(where: { $0.name == "content-length" }) {
                let why = "internet radio is endless and cannot be played in virtual time; play it in real time"
                refuse(id, why, at: response.url)
            }
            let length = response.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
            if let length, !request.isHead { limit(request, to: length) }
        case .data(let id, let bytes):
            bodies[id, default: []] += bytes.bytes
            limit(request, to: bodies[id]?.count ?? 0)
        case .finished(let id): ended[id] = .some(nil)
        case .failed(let id, let error): ended[id] = error
        }
        condition.broadcast()
    }

    /// Fails a request whose response exceeds the limit.
    private func limit(_ request: FetchRequest, to count: Int) {
        guard count > most else { return }
        let why = "the response exceeds the limit of \(most) bytes in virtual time; play it in real time"
        refuse(request.id, why, at: request.url)
    }

    private func refuse(_ id: FetchID, _ why: String, at url: String) {
        ended[id] = FetchError(.tooLarge, why, at: url)
        (responses[id], bodies[id]) = (nil, nil)
    }

    /// Waits for the end of a request, and fails it if almost nothing arrives for too long.
    func wait(
        for request: FetchRequest,
        giveUp: () -> Void
    ) -> (response: FetchResponse, body: [UInt8], answered: ContinuousClock.Instant?) {
        condition.lock()
        defer { condition.unlock() }
        var (mark, bytes) = (Date.now, 0)
        while ended[request.id] == nil {
            // One second more than the fetcher's own limit.
            let deadline = mark + request.patience.seconds + 1
            guard !condition.wait(until: deadline) || Date.now >= deadline else { continue }
            let count = bodies[request.id]?.count ?? 0
            if count - bytes < Self.leastProgress, ended[request.id] == nil {
                let what = "only \(count - bytes) bytes arrived in \(request.patience.seconds + 1) s"
                let error = FetchError(.timedOut, what, at: request.url)
                // Without the lock, for which the delivering thread may wait.
                condition.unlock()
                giveUp()
                condition.lock()
                ended[request.id] = error
            }
            (mark, bytes) = (Date.now, count)
        }
        open[request.id] = nil
        let error = ended.removeValue(forKey: request.id) ?? nil
        let body = bodies.removeValue(forKey: request.id) ?? []
        let head = responses.removeValue(forKey: request.id)
        var response = FetchResponse(
            status: head?.status ?? 0,
            headers: head?.headers ?? [],
            url: head?.url ?? request.url,
            serverAddress: head?.serverAddress ?? "",
            isLast: head?.isLast ?? true,
            failure: error
        )
        response.version = head?.version ?? ""
        response.connection = head?.connection ?? ConnectionUse()
        return (response, body, answered.removeValue(forKey: request.id))
    }
}
