internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// The requests of a session that are under way, and what all have brought.
struct SessionTraffic: Sendable {
    /// When each began and how much has come of it.
    private var requests: [FetchID: (began: Instant, bytes: Int)] = [:]

    /// Bytes that came.
    private(set) var bytes = 0

    /// How many are under way.
    var underway: Int { requests.count }

    /// A request begins.
    mutating func begin(_ id: FetchID, at now: Instant) { requests[id] = (now, 0) }

    /// A request is given up; tells what to log.
    mutating func cancel(_ id: FetchID) -> EventKind {
        defer { requests[id] = nil }
        return cancellation(of: id)
    }

    /// What would be logged of a request that is given up.
    func cancellation(of id: FetchID) -> EventKind {
        .requestCancelled(request: id.number, bytes: requests[id]?.bytes ?? 0)
    }

    /// Takes in news of a request; tells what to log, nil for nothing.
    mutating func take(_ event: FetchEvent, at now: Instant) -> EventKind? {
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
