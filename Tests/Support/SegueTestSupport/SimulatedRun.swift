package import SegueBase
package import SegueEvents
package import SegueFetch
package import SegueNetworkModel

/// A loop with a simulated fetcher, as a run has them.
package final class SimulatedRun {
    /// What happens on the loop.
    package enum Payload: Sendable {
        case fetch(FetchEvent)
        case wake
    }

    /// The loop.
    package let loop = EventLoop<Payload>(pace: .virtual)
    /// What was delivered, and when.
    package private(set) var events: [(at: Instant, event: FetchEvent)] = []
    /// What an observer was told.
    package private(set) var kinds: [EventKind] = []
    private let network: LinkProfile
    private let seed: UInt64
    private let think: Duration
    private let reaction: Duration
    private let respond: SimulatedFetcher.Responder

    /// The fetcher.
    package private(set) lazy var fetcher: SimulatedFetcher = {
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: seed,
            think: think,
            respond: respond,
            loop: FetchLoop(
                deliver: { [unowned self] event, at in loop.schedule(.fetch(event), at: at, priority: .arrival) },
                wake: { [unowned self] at in loop.schedule(.wake, at: at, priority: .arrival) }
            )
        )
        fetcher.reaction = reaction
        fetcher.observe { [unowned self] kind, _ in kinds.append(kind) }
        return fetcher
    }()

    /// A run over a network with a server that answers.
    package init(
        _ network: LinkProfile,
        seed: UInt64 = 1,
        think: Duration = .zero,
        reaction: Duration = .zero,
        respond: @escaping SimulatedFetcher.Responder
    ) {
        (self.network, self.seed, self.think, self.reaction) = (network, seed, think, reaction)
        self.respond = respond
    }

    /// A run over a network with a server whose answers are no others'.
    package convenience init(
        _ network: LinkProfile,
        seed: UInt64 = 1,
        think: Duration = .zero,
        reaction: Duration = .zero,
        respond: @escaping (FetchRequest) -> (response: FetchResponse, body: [UInt8])
    ) {
        self.init(network, seed: seed, think: think, reaction: reaction) { request in
            let (response, body) = respond(request)
            return (response, FetchBytes(body))
        }
    }

    /// Starts a request now.
    package func start(_ request: FetchRequest) { fetcher.start(request, at: loop.now) }

    /// Runs until nothing is left to happen.
    package func run() { _ = loop.run { payload, now in handle(payload, now) } }

    /// Handles what the loop brings.
    package func handle(_ payload: Payload, _ now: Instant) {
        switch payload {
        case .fetch(let event): events.append((now, event))
        case .wake: fetcher.wake(at: now)
        }
    }

    /// What became of a request.
    package func result(of number: Int) -> FetchResult {
        FetchResult(events.map(\.event).filter { $0.id.number == number })
    }

    /// When a request was finished, in seconds.
    package func finish(of number: Int) -> Double { time { $0.isFinish && $0.id.number == number } }

    /// When the first such event came, in seconds.
    package func time(where isWanted: (FetchEvent) -> Bool) -> Double {
        events.first { isWanted($0.event) }?.at.seconds ?? .infinity
    }
}
