internal import SegueBase
internal import SegueData
internal import SegueNetworkModel

/// The server of a simulated fetcher: a responder, and the faults of the network and of the run.
///
/// It is a class because the responder may add faults while it answers.
final class SimulatedServer {
    private let respond: SimulatedFetcher.Responder
    private let think: Duration
    private let seed: UInt64
    /// The network's own faults.
    private var faults: FaultPlan
    /// The time at which the present network began.
    private var networkBegan = Instant.zero
    private var added: FaultPlan
    /// Requests that were cancelled on their way to the server, which answers them nevertheless.
    var orphans: [SimulatedLink.Connection: FetchRequest] = [:]
    /// The number of response bytes on each open connection.
    private var sent: [SimulatedLink.Connection: Int] = [:]

    init(_ profile: LinkProfile, seed: UInt64, think: Duration, respond: @escaping SimulatedFetcher.Responder) {
        (self.respond, self.think, self.seed) = (respond, think, seed)
        faults = FaultPlan(profile, seed: seed)
        added = FaultPlan(seed: seed)
    }

    /// Switches to the faults of another network, whose time begins now; added faults remain.
    func become(_ profile: LinkProfile, at now: Instant) {
        faults = FaultPlan(profile, seed: seed)
        networkBegan = now
    }

    /// Adds a fault for requests that arrive from now on.
    func add(_ fault: RequestFault) { added.add(fault) }

    func removeAddedFaults() { added = FaultPlan(seed: seed) }

    /// Returns the response to a request that has arrived.
    func answer(
        _ request: FetchRequest,
        authority: String,
        on connection: SimulatedLink.Connection,
        at now: Instant
    ) -> ServedAnswer {
        var request = request
        request.cameAt = now
        var answer = ServedAnswer(to: request, from: respond, authority: authority)
        if let effect = effect(on: request, at: now) {
            answer.suffer(effect, of: request, from: respond, sent: sent[connection] ?? 0)
        }
        return answer
    }

    /// The time at which a response begins.
    func begins(_ answer: ServedAnswer, at now: Instant) -> Instant { now + (answer.response.serverTime ?? think) }

    /// Counts a complete response on a connection that stays open.
    func hasSent(_ bytes: Int, on connection: SimulatedLink.Connection) { sent[connection, default: 0] += bytes }

    /// Forgets a connection that has ended.
    func forget(_ connection: SimulatedLink.Connection) { sent[connection] = nil }

    /// The fault that a request meets; nil for none.
    private func effect(on request: FetchRequest, at now: Instant) -> RequestFault.Effect? {
        if faults.isEmpty, added.isEmpty { return nil }
        // Both plans count the request, even if the other one applies.
        let own = faults.effect(url: request.url, at: .zero + (now - networkBegan))
        let other = added.effect(url: request.url, at: now)
        return own ?? other
    }
}
