package import SegueBase
package import SegueEvents

/// Converts the progress of requests to events of the timeline.
package struct RequestLog {
    private let observe: (EventKind, Instant) -> Void
    private var open: [FetchID: (began: Instant, bytes: Int)] = [:]

    package init(_ observe: @escaping (EventKind, Instant) -> Void) { self.observe = observe }

    /// Logs that a request was sent.
    package mutating func began(_ request: FetchRequest, at now: Instant) {
        open[request.id] = (now, 0)
        let resource = FetchURL(request.url).map(\.lastPathPart) ?? ""
        observe(.requestBegan(request: request.id.number, url: request.url, resource: resource), now)
    }

    /// Logs that a request was cancelled.
    package mutating func cancelled(_ id: FetchID, at now: Instant) {
        guard let request = open.removeValue(forKey: id) else { return }
        observe(.requestCancelled(request: id.number, bytes: request.bytes), now)
    }

    /// Logs an event of a request.
    package mutating func happened(_ event: FetchEvent, at now: Instant) {
        let number = event.id.number
        switch event {
        case .response(_, let response): observe(.requestAnswered(request: number, status: response.status), now)
        case .data(let id, let bytes): open[id]?.bytes += bytes.count
        case .finished(let id):
            guard let request = open.removeValue(forKey: id) else { return }
            let seconds = (now - request.began).seconds
            observe(.requestFinished(request: number, bytes: request.bytes, seconds: seconds), now)
        case .failed(let id, let error):
            open[id] = nil
            let (reason, message) = (error.reason.rawValue, error.description)
            observe(.requestFailed(request: number, reason: reason, message: message), now)
        }
    }
}
