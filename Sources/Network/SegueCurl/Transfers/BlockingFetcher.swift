internal import Foundation
internal import SegueBase
package import SegueFetch

/// Fetches what a simulated player asks for from a real server, and waits for it: the far end of a simulated network.
///
/// A request that fails does so as in real time: its answer is what came of it, with why no more did. So does one whose
/// answer has more than ``mostHeld`` bytes: before it sets out over the simulated network all of it is held. Several
/// threads may each ask for something at once.
package final class BlockingFetcher: TimedFetching {
    /// The most bytes that an answer may have, whatever the request allows.
    package static let mostHeld = 512 << 20

    private let answers: Answers
    private let fetcher: LiveFetcher

    /// A fetcher with connections of its own.
    ///
    /// - Parameters:
    ///   - credentials: Who asks, by the host with its port as URLs have it.
    ///   - most: The most bytes that an answer may have.
    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    package init(credentials: [String: FetchCredential] = [:], most: Int = mostHeld) throws(FetchError) {
        let answers = Answers(most: most)
        self.answers = answers
        fetcher = try LiveFetcher(FetchRecipient { answers.take($0) }, credentials: credentials)
    }

    /// Fetches one resource; waits until it has come whole or has failed.
    ///
    /// The request's patience bounds that, also where a server sends a byte now and then.
    package func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let answer = timed(request)
        return (answer.response, FetchBytes(answer.body))
    }

    /// Fetches one resource as ``respond(to:)`` does, and tells how long it took.
    package func timed(_ request: FetchRequest) -> TimedAnswer {
        let begun = ContinuousClock.now
        // Which connection it has, and when it is read, is the simulated network's to say.
        var request = request
        (request.isUnread, request.lane, request.keepsConnection) = (false, "", false)
        answers.expect(request)
        fetcher.start(request, at: .zero)
        let answer = answers.wait(for: request) { fetcher.cancel(request.id, at: .zero) }
        let ended = ContinuousClock.now
        // An endless answer goes on.
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

/// What has come of requests so far.
private final class Answers: @unchecked Sendable {
    // Sendable: everything is only touched with `condition` locked.
    private static let leastProgress = 1024
    private let most: Int
    private let condition = NSCondition()
    private var responses: [FetchID: FetchResponse] = [:]
    private var answered: [FetchID: ContinuousClock.Instant] = [:]
    private var bodies: [FetchID: [UInt8]] = [:]
    private var ended: [FetchID: FetchError?] = [:]
    /// Requests that are waited for; what comes of others counts for nothing.
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
                let why = "internet radio has no end, so that it cannot be played in virtual time"
                refuse(id, "\(why): \(response.url)")
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

    /// Gives a request up whose answer has more bytes than are held.
    private func limit(_ request: FetchRequest, to count: Int) {
        guard count > most else { return }
        let why = "it has more than the \(most) bytes that are held of an answer in virtual time; play it in real time"
        refuse(request.id, "\(why): \(request.url)")
    }

    private func refuse(_ id: FetchID, _ why: String) {
        let error = FetchError(.tooLarge, why)
        ended[id] = error
        (responses[id], bodies[id]) = (nil, nil)
    }

    /// Waits for the end of a request, which is given up when next to nothing of it comes for too long.
    func wait(
        for request: FetchRequest,
        giveUp: () -> Void
    ) -> (response: FetchResponse, body: [UInt8], answered: ContinuousClock.Instant?) {
        condition.lock()
        defer { condition.unlock() }
        var (mark, bytes) = (Date.now, 0)
        while ended[request.id] == nil {
            // A second more than the fetcher itself waits for a byte.
            let deadline = mark + request.patience.seconds + 1
            guard !condition.wait(until: deadline) || Date.now >= deadline else { continue }
            let count = bodies[request.id]?.count ?? 0
            if count - bytes < Self.leastProgress, ended[request.id] == nil {
                let what = "only \(count - bytes) bytes came in \(request.patience.seconds + 1) s: \(request.url)"
                let error = FetchError(.timedOut, what)
                // Not with the lock held, which whoever delivers may wait for.
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
        let response = FetchResponse(
            status: head?.status ?? 0,
            headers: head?.headers ?? [],
            url: head?.url ?? request.url,
            serverAddress: head?.serverAddress ?? "",
            isLast: head?.isLast ?? true,
            failure: error,
            version: head?.version ?? ""
        )
        return (response, body, answered.removeValue(forKey: request.id))
    }
}
