internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Replays a recorded watch without waiting.
package enum StreamReplay {
    /// Replays a recording.
    ///
    /// `decoder` creates a decoder for one segment. `body` returns the body of an exchange; nil for a missing one. `found` receives each finding. Returns the watch
    /// and its findings at the end; nil for an empty recording.
    package static func watch(
        _ recording: Recording,
        options: StreamWatch.Options = StreamWatch.Options(),
        decoder: (@Sendable () -> any SegmentDecoding)? = nil,
        body: (RecordedExchange) -> [UInt8]?,
        found: (LiveFinding) -> Void = { _ in }
    ) -> (watch: StreamWatch, log: FindingLog)? {
        guard let entry = recording.entry else { return nil }
        let clock = recording.exchanges.lazy.compactMap(\.clock).first
        var watch = StreamWatch(entry, clock: clock, options: options)
        var log = FindingLog()
        func note(_ findings: [LiveFinding]) {
            for finding in findings {
                log.add(finding)
                found(finding)
            }
        }
        // A recording by a watch is already in the order in which the watch received it.
        let isOfWatch = recording.exchanges.allSatisfy { $0.took != nil }
        let inOrder = isOfWatch ? recording.exchanges : recording.exchanges.sorted { $0.at < $1.at }
        for exchange in inOrder {
            guard let bytes = body(exchange) else { continue }
            let step = watch.take(exchange.answer(bytes))
            note(step.findings)
            for sample in step.samples { note(watch.take(sample.inspected(by: decoder?())).findings) }
        }
        note(watch.finish())
        return (watch, log)
    }
}
