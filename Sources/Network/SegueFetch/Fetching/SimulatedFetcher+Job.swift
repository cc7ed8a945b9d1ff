internal import SegueBase
internal import SegueNetworkModel

extension SimulatedFetcher {
    /// A request and its state.
    final class Job {
        let request: FetchRequest
        let url: FetchURL
        var connection: SimulatedLink.Connection?
        var answer: ServedAnswer?
        var headBytes = 0
        /// The number of body bytes that the server has sent.
        var written = 0
        var patience: EventQueue<Timer>.Token?
        /// The pool of connections to use.
        let pool: String
        /// True if the response is not read, and its size at the last report.
        var isUnread: Bool
        var unread = 0
        var hasHead = false
        var delivered = 0
        var deliveredAt = Instant.zero
        /// The time of the request.
        let asked: Instant
        /// The time at which a connection took it.
        var began = Instant.zero
        /// The size of the response at its end or at the next pause; nil before the response.
        var whole: Int?

        init(_ request: FetchRequest, _ url: FetchURL, at now: Instant) {
            (self.request, self.url, asked) = (request, url, now)
            pool = request.lane.isEmpty ? url.authority : "\(url.authority) \(request.lane)"
            isUnread = request.isUnread
        }

        /// Returns whether there is something to deliver at this size of the response.
        func isNews(bytes: Int, at now: Instant) -> Bool {
            guard let whole else { return false }
            let available = bytes - headBytes
            guard available >= 0 else { return false }
            return !hasHead || available >= whole || available - delivered >= SimulatedFetcher.chunkSize
                || now - deliveredAt >= SimulatedFetcher.chunkDelay
        }
    }
}
