internal import SegueBase
internal import SeguePlaylists

/// Measurements of a progressive client.
extension ProgressiveClient {
    /// Records the media since the last measurement in the speed, the log, and the access log, if there is enough.
    mutating func measure(atLeast least: Duration, _ context: inout StepContext) {
        guard let transfer, layout != nil || radio != nil else { return }
        let bytes = transfer.received - transfer.measured.bytes
        var share: Duration?
        if let layout, layout.map.end > 0 { share = layout.duration * (Double(bytes) / Double(layout.map.end)) }
        let (end, isLoadedToEnd) = (bufferedEnd(from: anchor), isLoadedToEnd)
        let stretch = meter.measure(bytes, upTo: end, from: anchor, share: share) { $0 >= least || isLoadedToEnd }
        guard let stretch else { return }
        let took = context.now - transfer.measured.at
        self.transfer?.measured = (context.now, transfer.received)
        meter.note(stretch, took: took, from: source.url, &context)
    }
}
