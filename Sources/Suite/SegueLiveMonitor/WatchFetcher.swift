internal import Foundation
internal import SegueBase
internal import SegueConformance
internal import SegueCurl
internal import SegueFetch

/// Sends the requests of one watch over connections of its own.
final class WatchFetcher: Sendable {
    struct Answer: Sendable {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var url: String
        var bytes: [UInt8] = []
        var failure: String?
    }

    private let pending: Pending
    private let fetcher: LiveFetcher

    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    init() throws(FetchError) {
        let pending = Pending()
        self.pending = pending
        fetcher = try LiveFetcher(FetchRecipient { pending.take($0) })
    }

    /// Sends a request, and waits for the response until the request times out.
    func fetch(_ request: WatchRequest, limit: Int) async -> Answer {
        await withCheckedContinuation { continuation in
            guard let id = pending.expect(Answer(url: request.url), continuation) else { return }
            var fetch = FetchRequest(
                id: id,
                url: request.url,
                range: request.method == .firstByte ? FetchRange(offset: 0, length: 1) : nil,
                patience: request.patience,
                limit: limit
            )
            fetch.isHead = request.method == .head
            fetch.connectPatience = min(request.patience, .seconds(10))
            fetch.wholePatience = request.patience
            fetcher.start(fetch, at: .zero)
        }
    }

    /// Cancels all pending requests and refuses new ones.
    func close() { pending.close() }
}

private final class Pending: @unchecked Sendable {
    // Sendable: `lock` guards all properties.
    private let lock = NSLock()
    private var count = 0
    private var isClosed = false
    private var open:
        [FetchID: (answer: WatchFetcher.Answer, continuation: CheckedContinuation<WatchFetcher.Answer, Never>)] =
            [:]

    /// The number of a new request; nil after the end, which the completion reports at once.
    func expect(
        _ answer: WatchFetcher.Answer,
        _ continuation: CheckedContinuation<WatchFetcher.Answer, Never>
    ) -> FetchID? {
        lock.lock()
        defer { lock.unlock() }
        count += 1
        let id = FetchID(count)
        open[id] = (answer, continuation)
        guard isClosed else { return id }
        end(id, failure: Self.closed)
        return nil
    }

    private static let closed = "the watch has ended"

    func take(_ event: FetchEvent) {
        lock.lock()
        defer { lock.unlock() }
        guard open[event.id] != nil else { return }
        switch event {
        case .response(let id, let response):
            open[id]?.answer.status = response.status
            open[id]?.answer.headers = response.headers
            open[id]?.answer.url = response.url
        case .data(let id, let more): open[id]?.answer.bytes += more.bytes
        case .finished(let id): end(id, failure: nil)
        case .failed(let id, let error): end(id, failure: error.cause)
        }
    }

    private func end(_ id: FetchID, failure: String?) {
        guard case (var answer, let continuation)? = open.removeValue(forKey: id) else { return }
        answer.failure = failure
        // A status without its complete body is not a response.
        if failure != nil { (answer.status, answer.bytes) = (0, []) }
        continuation.resume(returning: answer)
    }

    func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        for id in Array(open.keys) { end(id, failure: Self.closed) }
    }
}
