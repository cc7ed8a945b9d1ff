/// The additional requests of one playlist watch.
struct ResourceProbes: Sendable {
    var segments = SegmentChecks()
    var blocking = BlockingProbes()
    var hints = HintChecks()
    var parts = PartLoads()

    /// Returns true if a response belongs to a probe other than a blocking reload.
    func awaits(_ answer: WatchAnswer) -> Bool {
        switch answer.method {
        case .get: parts.awaits(answer.url)
        case .head: segments.awaits(answer.url)
        case .firstByte: hints.awaits(answer.url) || segments.awaits(answer.url)
        }
    }

    /// Forgets all open requests that depend on the playlist's content.
    mutating func forget() {
        segments.forget()
        hints.forget()
        parts.forget()
    }
}
