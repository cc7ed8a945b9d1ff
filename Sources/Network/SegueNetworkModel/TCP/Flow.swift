internal import SegueBase

/// The steady part of a download: data comes down, acknowledgements go up, and nothing else happens on the link.
extension ConnectionEnds {
    /// Processes the download's events until the limit, until an event of another kind, or until the segment that
    /// ends the stream has been sent.
    ///
    /// The results equal those of ``SimulatedConnection/handle(_:on:at:)`` to the nanosecond; only the lookup of the
    /// connection for each event is saved.
    ///
    /// - Precondition: ``SimulatedConnection/isFlowing`` is true for the connection.
    /// - Parameters:
    ///   - wire: The state that the link's connections share.
    ///   - limit: The last instant to process.
    ///   - stopsAtNews: True to stop after the instant of the first output.
    /// - Returns: The instant of the last event; zero if there was none.
    mutating func flow(on wire: inout LinkWire, until limit: Instant, stopsAtNews: Bool) -> Instant {
        var latest = Instant.zero
        var limit = limit
        let knownUpLog = up.seenLog
        // The segment that ends the stream is news, which only the link itself reports.
        while !down.sender.isFinished,
            let (now, event) = wire.queue.popFlow(of: connection, knowing: knownUpLog, until: limit)
        {
            latest = now
            switch event {
            case .segment(_, let arrival, _):
                let answer = down.receive(arrival)
                if let segments = answer.inOrder, down.hasCome(segments: segments, at: now),
                    let news = news(.down, at: now)
                {
                    wire.tell(news, at: now)
                }
                down.answer(answer, over: &path, on: &wire, at: now)
            case .acknowledgementDue: down.stopWaiting(over: &path, on: &wire, at: now)
            case .acknowledgement(_, let logCount):
                down.isAcknowledged(upTo: logCount, at: now)
                down.sendSegments(acknowledging: &up, over: &path, on: &wire, at: now)
            default: break
            }
            if stopsAtNews, !wire.outputs.isEmpty { limit = now }
        }
        return latest
    }
}
