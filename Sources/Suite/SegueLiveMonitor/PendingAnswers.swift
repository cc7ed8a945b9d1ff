internal import Foundation
internal import SegueFetch

/// The requests of a client that have no response yet.
final class PendingAnswers: @unchecked Sendable {
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
            open[id]?.answer.connection = response.connection
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
