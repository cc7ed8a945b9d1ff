internal import SegueBase

/// Notices a server that sends a byte now and then, and keeps a request alive without getting on.
struct TrickleWatch: Sendable {
    /// Fewer bytes than this in the time that a request may go without one are as good as none.
    private static let leastProgress = 1024

    /// How long it may go without a byte, or with next to none.
    let patience: Duration

    private var mark: (at: Instant, bytes: Int)

    /// A watch over a request that begins.
    init(patience: Duration, began: Instant) {
        self.patience = patience
        mark = (began, 0)
    }

    /// Counts from now on, where so many bytes have come.
    mutating func begin(at now: Instant, bytes: Int) { mark = (now, bytes) }

    /// Looks whether the request gets on.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - bytes: How many bytes of its body have come.
    ///   - url: What is asked for.
    /// - Returns: Why it has failed; nil when it has not.
    mutating func look(at now: Instant, bytes: Int, url: String) -> LoadFailure? {
        guard mark.at + patience <= now else { return nil }
        let (since, progress) = (mark.at, bytes - mark.bytes)
        mark = (now, bytes)
        guard progress < TrickleWatch.leastProgress else { return nil }
        let message = "only \(progress) bytes came in \((now - since).seconds) s: \(url)"
        return LoadFailure(PlaybackError(.network, -1001, message), .timedOut)
    }
}
