/// The additional requests of one playlist watch.
struct ResourceProbes: Sendable {
    var segments = SegmentChecks()
    var blocking = BlockingProbes()
    var hints = HintChecks()
    var parts = PartLoads()

    /// Returns true if a response belongs to a probe other than a blocking reload.
    func awaits(_ response: WatchResponse) -> Bool {
        switch response.method {
        case .get: parts.awaits(response.url)
        case .head: segments.awaits(response.url)
        case .firstByte: hints.awaits(response.url) || segments.awaits(response.url)
        }
    }

    /// Forgets all open requests that depend on the playlist's content.
    mutating func forget() {
        segments.forget()
        hints.forget()
        parts.forget()
    }
}
