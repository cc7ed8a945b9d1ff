package import SegueBase
package import SegueEvents

/// Turns what becomes of requests into events of the timeline, for whoever wants to know.
package struct RequestLog {
    private let observe: (EventKind, Instant) -> Void
    private var open: [FetchID: (began: Instant, bytes: Int)] = [:]

    /// A log that tells an observer.
    package init(_ observe: @escaping (EventKind, Instant) -> Void) { self.observe = observe }

    /// A request was sent.
    package mutating func began(_ request: FetchRequest, at now: Instant) {
        open[request.id] = (now, 0)
        let resource = FetchURL(request.url).map(\.lastPathPart) ?? ""
        observe(.requestBegan(request: request.id.number, url: request.url, resource: resource), now)
    }

    /// A request was given up.
    package mutating func cancelled(_ id: FetchID, at now: Instant) {
        guard let request = open.removeValue(forKey: id) else { return }
        observe(.requestCancelled(request: id.number, bytes: request.bytes), now)
    }

    /// Something became of a request.
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
