/// The additional requests of one playlist watch.
struct ResourceProbes: Sendable {
    var segments = SegmentChecks()
    var blocking = BlockingProbes()
    var hints = HintChecks()
    var parts = PartLoads()
    var samples = SampleLoads()

    /// Returns true if a response belongs to a probe other than a blocking reload.
    func awaits(_ response: WatchResponse) -> Bool {
        if segments.awaits(response.url, response.method) { return true }
        return switch response.method {
        case .get: parts.awaits(response.url) || samples.awaits(response)
        case .head: false
        case .firstByte: hints.awaits(response.url)
        }
    }

    /// Forgets all open requests that depend on the playlist's content.
    mutating func forget() {
        segments.forget()
        hints.forget()
        parts.forget()
        samples.forget()
    }
}
