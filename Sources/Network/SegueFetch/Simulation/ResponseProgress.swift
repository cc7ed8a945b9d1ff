internal import SegueBase

/// The progress of a response: sent, arrived, and delivered bytes.
struct ResponseProgress {
    /// The size and the time after which a part of a body is delivered.
    static let chunkSize = 64 << 10
    static let chunkDelay = Duration.milliseconds(100)

    var headBytes = 0
    /// The number of body bytes that the server has sent.
    var written = 0
    /// The size of the response at its end or at the next pause; nil before the response.
    var whole: Int?
    /// The size of the response at the last report of the link.
    var reported = 0
    var hasHead = false
    var delivered = 0
    var deliveredAt = Instant.zero

    /// Returns whether there is something to deliver at this size of the response.
    func isNews(bytes: Int, at now: Instant) -> Bool {
        guard let whole else { return false }
        let available = bytes - headBytes
        guard available >= 0 else { return false }
        return !hasHead || available >= whole || isPart(available, at: now)
    }

    /// Returns whether these bytes of the body complete a part that is delivered.
    func isPart(_ available: Int, at now: Instant) -> Bool {
        available - delivered >= Self.chunkSize || now - deliveredAt >= Self.chunkDelay
    }

    /// The size of the response and the time from which on there is something to deliver; nil before the response.
    var next: (bytes: Int, instant: Instant)? {
        guard let whole else { return nil }
        guard hasHead else { return (headBytes, Instant(nanoseconds: .max)) }
        return (headBytes + min(whole, delivered + Self.chunkSize), deliveredAt + Self.chunkDelay)
    }
}
