internal import SegueBase
internal import SegueNetworkModel

/// The delivery of a simulated fetcher's events.
///
/// Parts of bodies for which nobody waits are collected on the link, and delivered before the next event. It is a class
/// because a receiver of parts may call the fetcher.
final class FetchDelivery {
    private let link: SimulatedLink
    private let loop: FetchLoop
    var log: RequestLog?
    /// Receives parts of bodies directly; nil for an event per part.
    var collect: ((FetchEvent, Instant) -> Void)?
    /// The requests with parts that may not have been delivered.
    private var gathering: [SimulatedTransfer] = []
    /// True if an event was sent since this was last set.
    var hasSpoken = false
    /// The time of the latest event, which the loop may not have processed.
    private var spokeAt: Instant?

    init(from link: SimulatedLink, to loop: FetchLoop) { (self.link, self.loop) = (link, loop) }

    func send(_ event: FetchEvent, at now: Instant) {
        handOn(at: now)
        log?.happened(event, at: now)
        (hasSpoken, spokeAt) = (true, now)
        loop.deliver(event, now)
    }

    /// Gathers the further parts of a response.
    func gather(_ transfer: SimulatedTransfer) {
        guard collect != nil, transfer.request.mayBeGathered, let connection = transfer.connection,
            let answer = transfer.answer, answer.isPlain, case .whole = answer.pace
        else { return }
        let parts = ResponseParts(
            size: ResponseProgress.chunkSize,
            delay: ResponseProgress.chunkDelay,
            whole: transfer.progress.headBytes + answer.wireBytes,
            end: transfer.asked + transfer.request.patience
        )
        link.gather(parts, on: connection)
        gathering.append(transfer)
    }

    /// Stops gathering for a request.
    func forget(_ transfer: SimulatedTransfer) { gathering.removeAll { $0 === transfer } }

    /// Delivers gathered parts at once.
    func handOn() { handOn { self.collect?($0, $1) } }

    /// Delivers gathered parts before another event: at once, or after the undelivered events of the same instant.
    func handOn(at now: Instant) {
        if !gathering.isEmpty { handOn(to: spokeAt == now ? loop.deliver : { self.collect?($0, $1) }) }
    }

    private func handOn(to take: (FetchEvent, Instant) -> Void) {
        var parts = gathering.compactMap { transfer in
            transfer.gatheredPart(on: link).map { (event: FetchEvent.data(transfer.id, $0.part), at: $0.at) }
        }
        if parts.count > 1 { parts.sort { $0.at < $1.at } }
        for (event, at) in parts {
            log?.happened(event, at: at)
            take(event, at)
        }
    }
}
