internal import SegueBase
internal import SegueNetworkModel

extension SimulatedFetcher {
    /// A request with what is known of it.
    final class Job {
        let request: FetchRequest
        let url: FetchURL
        var connection: SimulatedLink.Connection?
        var answer: ServedAnswer?
        var headBytes = 0
        /// How many bytes of the body the server has written.
        var written = 0
        var patience: EventQueue<Timer>.Token?
        /// The connections of which it takes one.
        let pool: String
        /// Whether nothing of its answer is read, and how much of it had come when there was news last.
        var isUnread: Bool
        var unread = 0
        var hasHead = false
        var delivered = 0
        var deliveredAt = Instant.zero
        /// When it was asked for.
        let asked: Instant
        /// When it was given to a connection.
        var began = Instant.zero
        /// How much of the answer ends it, or has the server wait; nil before there is an answer.
        var whole: Int?

        init(_ request: FetchRequest, _ url: FetchURL, at now: Instant) {
            (self.request, self.url, asked) = (request, url, now)
            pool = request.lane.isEmpty ? url.authority : "\(url.authority) \(request.lane)"
            isUnread = request.isUnread
        }

        /// Whether there is something to tell now that so much of the answer has come.
        func isNews(bytes: Int, at now: Instant) -> Bool {
            guard let whole else { return false }
            let available = bytes - headBytes
            guard available >= 0 else { return false }
            return !hasHead || available >= whole || available - delivered >= SimulatedFetcher.chunkSize
                || now - deliveredAt >= SimulatedFetcher.chunkDelay
        }
    }
}
