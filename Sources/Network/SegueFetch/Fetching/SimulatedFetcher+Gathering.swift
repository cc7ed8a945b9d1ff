internal import SegueBase
internal import SegueNetworkModel

/// Gathering: parts of bodies for which nobody waits are collected on the link, and delivered before the next event.
extension SimulatedFetcher {
    /// Gathers the further parts of a response.
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

    /// Delivers gathered parts; called before the owner of the request does anything else.
    package func handOn() { handOnGathered { self.collect?($0, $1) } }

    /// Delivers gathered parts before another event: at once, or after the undelivered events of the same instant.
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

    /// The gathered part of a body, with the arrival time of its last byte; nil if there is none.
    private func takeGathered(_ job: Job) -> (part: FetchBytes, at: Instant)? {
        guard let (bytes, at) = job.connection.flatMap(link.notedPart),
            case let available = bytes - job.headBytes, available > job.delivered, let answer = job.answer
        else { return nil }
        let part = answer.body[job.delivered..<available]
        (job.delivered, job.deliveredAt) = (available, at)
        return (part, at)
    }
}
