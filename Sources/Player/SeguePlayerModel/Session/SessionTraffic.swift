internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// The open requests of a session, and the total number of bytes.
struct SessionTraffic: Sendable {
    /// The start and the received bytes of each open request.
    private var requests: [FetchID: (began: Instant, bytes: Int)] = [:]

    private(set) var bytes = 0

    /// The number of open requests.
    var underway: Int { requests.count }

    mutating func begin(_ id: FetchID, at now: Instant) { requests[id] = (now, 0) }

    /// Removes a canceled request, and returns the event to log.
    mutating func cancel(_ id: FetchID) -> EventKind {
        defer { requests[id] = nil }
        return cancellation(of: id)
    }

    /// The event to log if the request is canceled.
    func cancellation(of id: FetchID) -> EventKind {
        .requestCancelled(request: id.number, bytes: requests[id]?.bytes ?? 0)
    }

    /// Handles news of a request, and returns the event to log.
    mutating func receive(_ event: FetchEvent, at now: Instant) -> EventKind? {
        let number = event.id.number
        switch event {
        case .response(_, let response): return .requestAnswered(request: number, status: response.status)
        case .data(let id, let data):
            requests[id]?.bytes += data.count
            bytes += data.count
            return nil
        case .finished(let id):
            guard let request = requests.removeValue(forKey: id) else { return nil }
            let seconds = (now - request.began).seconds
            return .requestFinished(request: number, bytes: request.bytes, seconds: seconds)
        case .failed(let id, let error):
            requests[id] = nil
            return .requestFailed(request: number, reason: error.reason.rawValue, message: error.description)
        }
    }
}
