internal import SegueBase
internal import SegueNetworkModel

/// A request of a simulated fetcher, and the state of its response.
final class SimulatedTransfer {
    let request: FetchRequest
    let url: FetchURL
    var connection: SimulatedLink.Connection?
    var answer: ServedAnswer?
    var progress = ResponseProgress()
    var patience: EventQueue<FetchTimer>.Token?
    /// The pool of connections to use.
    let pool: String
    /// True if the response is not read.
    var isUnread: Bool
    /// The time of the request.
    let asked: Instant
    /// The time at which a connection took it.
    var began = Instant.zero

    var id: FetchID { request.id }

    init(_ request: FetchRequest, _ url: FetchURL, at now: Instant) {
        (self.request, self.url, asked) = (request, url, now)
        pool = request.lane.isEmpty ? url.authority : "\(url.authority) \(request.lane)"
        isUnread = request.isUnread
    }

    /// Records that the server sends more bytes of the body.
    func write(_ bytes: Int, on link: SimulatedLink) {
        progress.written += bytes
        progress.whole = progress.written
        expectMore(on: link)
    }

    /// Sets the progress at which the link reports the response.
    func expectMore(on link: SimulatedLink) {
        guard let connection, answer?.isPlain ?? false, let next = progress.next else { return }
        link.expect(bytes: next.bytes, orFrom: next.instant, on: connection)
    }

    /// The time at which the client's patience ends, unless more arrives before.
    func timesOut(on link: SimulatedLink) -> Instant {
        let latest = connection.flatMap { link.latestArrival(on: $0) } ?? began
        return max(began, latest) + request.patience
    }

    /// Returns a part of the body that was recorded on the link, with the arrival time of its last byte; nil if there
    /// is none.
    func gatheredPart(on link: SimulatedLink) -> (part: FetchBytes, at: Instant)? {
        guard let (bytes, at) = connection.flatMap(link.notedPart),
            case let available = bytes - progress.headBytes, available > progress.delivered, let answer
        else { return nil }
        let part = answer.body[progress.delivered..<available]
        (progress.delivered, progress.deliveredAt) = (available, at)
        return (part, at)
    }
}
