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
        var connection = ConnectionUse()
        var failure: String?
    }

    private let pending: PendingAnswers
    private let fetcher: LiveFetcher

    /// - Throws: ``FetchError`` when libcurl cannot be set up.
    init() throws(FetchError) {
        let pending = PendingAnswers()
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
                range: request.method == .firstByte
                    ? FetchRange(offset: 0, length: 1)
                    : request.span.map { FetchRange(offset: $0.offset, length: $0.length) },
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
