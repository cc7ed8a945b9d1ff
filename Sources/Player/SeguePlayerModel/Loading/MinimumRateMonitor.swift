internal import SegueBase

/// A monitor for servers that keep a request alive with a byte now and then.
struct MinimumRateMonitor: Sendable {
    /// The minimum number of bytes within the timeout.
    private static let leastProgress = 1024

    /// The maximum time without a byte, or with almost none.
    let patience: Duration

    private var mark: (at: Instant, bytes: Int)

    init(patience: Duration, began: Instant) {
        self.patience = patience
        mark = (began, 0)
    }

    /// Restarts the monitor with the current number of bytes.
    mutating func begin(at now: Instant, bytes: Int) { mark = (now, bytes) }

    /// Returns a failure if the request has received too few bytes of its URL for too long.
    mutating func look(at now: Instant, bytes: Int, url: String) -> LoadFailure? {
        guard mark.at + patience <= now else { return nil }
        let (since, progress) = (mark.at, bytes - mark.bytes)
        mark = (now, bytes)
        guard progress < MinimumRateMonitor.leastProgress else { return nil }
        let message = "only \(progress) bytes were received in \((now - since).seconds) s: \(url)"
        return LoadFailure(PlaybackError(.network, code: -1001, message), .timedOut)
    }
}
