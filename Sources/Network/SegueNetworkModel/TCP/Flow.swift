internal import SegueBase

/// The steady part of a download: data come down, acknowledgements go up, and nothing else happens on the link.
extension ConnectionEnds {
    /// Lets all happen that belongs to it, up to a limit, to the first thing that does not, or, where the owner asks
    /// for that, through the instant of the first news.
    ///
    /// It does what ``SimulatedLink/handle(_:_:_:at:)`` does with these events, to the nanosecond, without looking up
    /// for each of them whom it concerns.
    ///
    /// - Precondition: ``SimulatedConnection/isFlowing``.
    /// - Returns: When the last of it happened; zero where nothing did.
    mutating func flow(on wire: inout LinkWire, until limit: Instant, stopsAtNews: Bool) -> Instant {
        var latest = Instant.zero
        var limit = limit
        let knownUpLog = up.seenLog
        while let (now, happening) = wire.queue.popFlow(of: connection, knowing: knownUpLog, until: limit) {
            latest = now
            switch happening {
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
