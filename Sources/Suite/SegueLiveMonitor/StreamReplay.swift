internal import SegueBase
package import SegueConformance
package import SegueFetch

/// Watches again what was recorded, in no time.
package enum StreamReplay {
    /// Watches a recording.
    ///
    /// - Parameters:
    ///   - body: The body of an exchange; nil where it is not there.
    ///   - found: Gets each finding when it is made.
    /// - Returns: The watch at its end, and what it found; nil for a recording of nothing.
    package static func watch(
        _ recording: Recording,
        options: StreamWatch.Options = StreamWatch.Options(),
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
        // What a watch recorded is in the order in which it was given.
        let isOfWatch = recording.exchanges.allSatisfy { $0.took != nil }
        let inOrder = isOfWatch ? recording.exchanges : recording.exchanges.sorted { $0.at < $1.at }
        for exchange in inOrder {
            guard let bytes = body(exchange) else { continue }
            note(watch.take(exchange.answer(bytes)).findings)
        }
        note(watch.finish())
        return (watch, log)
    }
}
