import SegueBase
import SegueFetch
import SegueNetworkModel
import Testing

@Suite struct `Gathered parts of responses` {
    /// Requests over a random network, with checks of the received bytes, cancellations, and a change of the network.
    private struct Story {
        enum Payload: Sendable {
            case fetch(FetchEvent), network, begin(FetchRequest), look, cancel(FetchID), become(LinkProfile)
        }

        let network: LinkProfile
        let plan: [(payload: Payload, at: Instant)]
        let seed: UInt64

        init(seed: UInt64) {
            self.seed = seed
            var random = SeededRandom(seed: seed)
            func network() -> LinkProfile {
                let loss = Double.random(in: 0...1, using: &random) < 0.3 ? 0.02 : 0
                let rate = Int64.random(in: 300_000...20_000_000, using: &random)
                let delay = Duration.milliseconds(Int.random(in: 0...120, using: &random))
                let way = LinkProfile.Direction(bitsPerSecond: rate, delay: delay, loss: loss)
                return LinkProfile(name: "n", down: way, up: way)
            }
            self.network = network()
            func moment() -> Instant { Instant(nanoseconds: Int64.random(in: 0...6_000_000_000, using: &random)) }
            plan =
                (1...4).map { number in
                    var request = FetchRequest(
                        id: FetchID(number),
                        url: "http://h/\(Int.random(in: 1...3_000_000, using: &random))",
                        patience: .milliseconds(Int.random(in: 200...4000, using: &random))
                    )
                    request.mayBeGathered = number != 2
                    return (.begin(request), moment())
                }
                + (0..<40).map { _ in (.look, moment()) }
                + [(.cancel(FetchID(Int.random(in: 1...4, using: &random))), moment()), (.become(network()), moment())]
        }

        /// The events except parts, and the size of each body at each of them; with the number of reported parts.
        func tell(isGathering: Bool) -> (lines: [String], parts: Int) {
            let loop = EventLoop<Payload>(pace: .virtual)
            let fetcher = SimulatedFetcher(
                profile: network,
                seed: seed,
                think: .milliseconds(5),
                respond: { request in
                    let count = Int(request.url.drop { !$0.isNumber }) ?? 0
                    let headers = [(name: "content-length", value: "\(count)")]
                    let response = FetchResponse(status: 200, headers: headers, url: "", serverAddress: "")
                    return (response, FetchBytes([UInt8](repeating: 1, count: count)))
                },
                loop: FetchLoop(
                    deliver: { event, at in loop.schedule(.fetch(event), at: at, priority: .arrival) },
                    wake: { loop.schedule(.network, at: $0, priority: .arrival) },
                    horizon: { loop.horizon }
                )
            )
            var come: [Int: Int] = [:]
            var parts = 0
            func take(_ event: FetchEvent) -> Bool {
                guard case .data(let id, let bytes) = event else { return false }
                come[id.number, default: 0] += bytes.count
                parts += 1
                return true
            }
            if isGathering { fetcher.collect = { event, _ in _ = take(event) } }
            for (payload, at) in plan { loop.schedule(payload, at: at) }
            var lines: [String] = []
            func note(_ what: String, at now: Instant) {
                let sizes = come.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
                lines.append("\(now.nanoseconds) \(what) \(sizes.joined(separator: " "))")
            }
            _ = loop.run { payload, now in
                switch payload {
                case .network: return fetcher.wake(at: now)
                case .fetch(let event):
                    if !take(event) { note("\(event)", at: now) }
                    return
                case .begin, .look, .cancel, .become: fetcher.handOn()
                }
                note("\(payload)", at: now)
                switch payload {
                case .begin(let request): fetcher.start(request, at: now)
                case .cancel(let id): fetcher.cancel(id, at: now)
                case .become(let network): fetcher.become(network, at: now)
                case .look, .network, .fetch: break
                }
            }
            fetcher.handOn()
            note("over", at: loop.now)
            return (lines, parts)
        }
    }

    @Test(arguments: 1...30)
    func `equal parts that are delivered one by one`(seed: Int) {
        let story = Story(seed: UInt64(seed))
        let (each, gathered) = (story.tell(isGathering: false), story.tell(isGathering: true))
        #expect(each.lines == gathered.lines)
        #expect(gathered.parts <= each.parts)
    }

    @Test func `need fewer deliveries`() {
        let stories = (1...20).map { Story(seed: $0) }
        let each = stories.reduce(0) { $0 + $1.tell(isGathering: false).parts }
        let gathered = stories.reduce(0) { $0 + $1.tell(isGathering: true).parts }
        #expect(gathered < each)
    }
}
