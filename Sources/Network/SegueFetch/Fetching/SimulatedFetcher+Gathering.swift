internal import SegueBase
internal import SegueNetworkModel

/// Parts of bodies that nobody waits for are gathered on the link, and handed on before anything else happens.
extension SimulatedFetcher {
    /// Has the parts of an answer that nobody waits for gathered, from the next on.
    func gather(_ job: Job) {
        guard collect != nil, job.request.mayBeGathered, let connection = job.connection, let answer = job.answer,
            answer.isPlain, case .whole = answer.pace
        else { return }
        let parts = SimulatedLink.Parts(
            size: Self.chunkSize,
            delay: Self.chunkDelay,
            whole: job.headBytes + answer.wireBytes,
            end: job.asked + job.request.patience
        )
        link.gather(parts, on: connection)
        gathering.append(job.request.id)
    }

    /// Hands on what has been gathered; to be called before whoever asked for it does anything else.
    package func handOn() { handOnGathered { self.collect?($0, $1) } }

    /// Hands on what has been gathered before something is told: at once, or behind what was told at the same instant,
    /// which the loop has not come to.
    func handOnGathered(at now: Instant) {
        if !gathering.isEmpty { handOnGathered(to: spokeAt == now ? deliver : { self.collect?($0, $1) }) }
    }

    private func handOnGathered(to take: (FetchEvent, Instant) -> Void) {
        var parts = gathering.compactMap { id in
            jobs[id].flatMap(takeGathered).map { (event: FetchEvent.data(id, $0.part), at: $0.at) }
        }
        if parts.count > 1 { parts.sort { $0.at < $1.at } }
        for (event, at) in parts {
            log?.happened(event, at: at)
            take(event, at)
        }
    }

    /// Takes what of a body was gathered, with when the last of it came; nil where nothing was.
    private func takeGathered(_ job: Job) -> (part: FetchBytes, at: Instant)? {
        guard let (bytes, at) = job.connection.flatMap(link.notedPart),
            case let available = bytes - job.headBytes, available > job.delivered, let answer = job.answer
        else { return nil }
        let part = answer.body[job.delivered..<available]
        (job.delivered, job.deliveredAt) = (available, at)
        return (part, at)
    }
}
