import Foundation
import SegueBase
import SegueConcurrency
import SegueCurl
import SegueEvents
import SegueFetch
import SegueFFmpeg
import SegueNetworkModel
import SeguePlayerModel
import SegueProxy
import SegueSuite

/// Plays each URL over each network, first in virtual time and then in real time through a proxy on this machine.
struct AgreementTrial: Sendable {
    /// What came of a case, and its logs as JSON Lines; empty where a run could not be made.
    struct Result: Sendable {
        let outcome: AgreementOutcome
        var virtual = ""
        var real = ""
    }

    /// The longest delay, one way, of the line over which a server's answers are timed.
    private static let longestMeasuringDelay = Duration.milliseconds(20)

    /// How much of what a request takes, but for the line, is the client's at the most: half of it, as client and server
    /// are woken by the same machine, where the server does not think.
    private static let longestReaction = Duration.microseconds(300)

    let scenario: Scenario
    let platform: PlatformProfile
    let app: AppProfile
    let networks: [LinkProfile]
    let proxy: LinkProxy

    /// Runs all cases: first those in virtual time, one after the other, then those in real time, some at a time, so
    /// that nothing else keeps the machine from being in time, and at last asks virtual time again where they differ.
    ///
    /// - Parameters:
    ///   - jobs: How many cases run at a time in real time.
    ///   - tell: Is told of each, in the order of URLs and networks.
    /// - Throws: What `tell` throws.
    func run(_ urls: [String], jobs: Int, tell: (Result) throws -> Void) async throws {
        let cases = urls.flatMap { url in networks.map { (url, $0) } }.enumerated()
        var virtual: [(item: AgreementOutcome.Case, run: Swift.Result<Virtual, any Error>)] = []
        for (index, (url, network)) in cases {
            let item = AgreementOutcome.Case(number: index + 1, url: url, network: network.name)
            do {
                virtual.append((item, .success(try await prepared(item, network))))
            } catch {
                virtual.append((item, .failure(error)))
            }
        }
        let real = await real(virtual.compactMap { try? $0.run.get() }, jobs: jobs)
        for (item, run) in virtual {
            let result: Result
            do {
                let virtual = try run.get()
                // Each that could be prepared was played.
                guard let real = try real[item.number]?.get() else { continue }
                let lateness = try await proxy.status(Self.linkName(item)).lateness
                result = try await Self.onThread { try judged(virtual, real, lateness: lateness) }
            } catch {
                result = Result(outcome: AgreementOutcome(of: item, failure: "\(error)"))
            }
            try tell(result)
        }
    }

    /// A case whose run in virtual time is made.
    private struct Virtual: Sendable {
        let item: AgreementOutcome.Case
        let network: LinkProfile
        let places: ServerPlaces
        let setup: ScenarioRun.Setup
        let log: EventLog
        let findings: [String]
        let length: Duration
    }

    /// What a run in real time left.
    private struct Real: Sendable {
        let log: EventLog
        let findings: [String]
    }

    private static func linkName(_ item: AgreementOutcome.Case) -> String { "case \(item.number)" }

    // MARK: Virtual time

    /// Puts a proxy before the server, and makes the run in virtual time.
    private func prepared(_ item: AgreementOutcome.Case, _ network: LinkProfile) async throws -> Virtual {
        guard let url = URLComponents(string: item.url), let host = url.host, let port = url.port else {
            throw CommandFailure(item.url, "not an HTTP URL with a port")
        }
        let server = Endpoint(host: host, port: port)
        let bound = try await listen(Self.linkName(item), network, before: server)
        let delay = min(network.down.delay.lowerBound, Self.longestMeasuringDelay)
        let line = LinkProfile.Direction(rate: .unlimited, delay: delay...delay)
        let measuring = "answer times of \(Self.linkName(item))"
        let other = try await listen(measuring, LinkProfile(name: measuring, down: line, up: line), before: server)
        let virtual = try await Self.onThread {
            try self.virtual(
                item,
                network,
                ServerPlaces(server: "\(host):\(port)", proxy: "\(bound)"),
                measuring: ServerPlaces(server: "\(host):\(port)", proxy: "\(other)"),
                over: delay
            )
        }
        try await proxy.remove(measuring)
        return virtual
    }

    private func listen(_ name: String, _ network: LinkProfile, before server: Endpoint) async throws -> Endpoint {
        let plan = LinkPlan(
            name: name,
            network: network,
            receiveWindow: platform.loading.receiveWindow,
            routes: [.init(listen: Endpoint(host: "127.0.0.1", port: 0), server: server)]
        )
        guard let bound = try await proxy.add(plan).first else { throw CommandFailure(name, "nothing is listened on") }
        return bound
    }

    /// The run in virtual time, with a server that takes as long for its answers as the one that there is.
    ///
    /// A first run has the server make everything, and tells what is asked for. How long it takes is measured through the
    /// proxy, on a line that costs nothing but a delay, which is taken off: what the machine needs to hand a request on and
    /// an answer back is in the run in real time, too. The delay is the network's own, as far as it is short: a machine
    /// that has slept for it takes half a millisecond longer than one that is awake.
    private func virtual(
        _ item: AgreementOutcome.Case,
        _ network: LinkProfile,
        _ places: ServerPlaces,
        measuring: ServerPlaces,
        over delay: Duration
    ) throws -> Virtual {
        let asked = places.throughProxy(item.url)
        var setup = ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: asked, background: ServedItemURL.background(of: asked))],
            platform: platform,
            app: app,
            seed: 1
        )
        let asking = Asking(server: try BlockingFetcher(), places: places)
        _ = ScenarioRun(setup, network: network, respond: asking.respond).run()
        let time = try AnswerTimes.median(of: asking.requests.map(measuring.throughProxy))
        let own = max(.zero, time - delay * 2)
        setup.reaction = min(own / 2, Self.longestReaction)
        setup.think = own - setup.reaction
        let run = ScenarioRun(setup, network: network, respond: asking.respond)
        let findings = findings(of: run).map { "in virtual time " + $0 }
        return Virtual(
            item: item,
            network: network,
            places: places,
            setup: setup,
            log: run.log,
            findings: findings,
            length: run.now - .zero
        )
    }

    /// Asks the server itself what is asked of the proxy, and remembers what was.
    private final class Asking {
        private let server: BlockingFetcher
        private let places: ServerPlaces
        private(set) var requests: [FetchRequest] = []
        private var counter = AnswerDelays.Counter()
        private let serverTime: (AnswerDelays.Request) -> Duration?

        init(
            server: BlockingFetcher,
            places: ServerPlaces,
            serverTime: @escaping (AnswerDelays.Request) -> Duration? = { _ in nil }
        ) {
            (self.server, self.places, self.serverTime) = (server, places, serverTime)
        }

        func respond(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
            let direct = places.direct(request)
            let answer = server.respond(to: direct)
            if answer.response.failure == nil { requests.append(direct) }
            let time = serverTime(counter.next(request.url))
            return (places.throughProxy(answer.response, serverTime: time), answer.body)
        }
    }

    // MARK: Real time

    /// The runs in real time, by the numbers of their cases.
    private func real(_ prepared: [Virtual], jobs: Int) async -> [Int: Swift.Result<Real, any Error>] {
        await withTaskGroup(of: (Int, Swift.Result<Real, any Error>).self) { group in
            var (waiting, runs) = (prepared[...], [Int: Swift.Result<Real, any Error>]())
            for _ in 0..<min(jobs, waiting.count) {
                let next = waiting.removeFirst()
                group.addTask { (next.item.number, await real(next)) }
            }
            while let (number, run) = await group.next() {
                runs[number] = run
                guard let next = waiting.popFirst() else { continue }
                group.addTask { (next.item.number, await real(next)) }
            }
            return runs
        }
    }

    private func real(_ virtual: Virtual) async -> Swift.Result<Real, any Error> {
        do {
            return .success(
                try await Self.onThread {
                    let run = try ScenarioRun(virtual.setup, inRealTimeBy: 1) { recipient throws(FetchError) in
                        try LiveFetcher(recipient)
                    }
                    let findings = findings(of: run).map { "in real time " + $0 }
                    return Real(log: run.log, findings: findings)
                }
            )
        } catch {
            return .failure(error)
        }
    }

    // MARK: Judgement

    private func judged(_ virtual: Virtual, _ real: Real, lateness: Lateness) throws -> Result {
        let server = try BlockingFetcher()
        let think = virtual.setup.think
        let judgement = AgreementJudgement(real: real.log, virtual: virtual.log, think: think) { moment in
            var setup = virtual.setup
            setup.lateness = moment.lateness
            let asking = Asking(server: server, places: virtual.places) { moment.serverTime(for: $0, think: think) }
            let run = ScenarioRun(setup, network: virtual.network, respond: asking.respond)
            _ = run.run()
            return run.log
        }
        let outcome = AgreementOutcome(
            of: virtual.item,
            judgement,
            findings: virtual.findings + real.findings,
            length: virtual.length,
            lateness: (lateness.quantile(0.99), lateness.greatest)
        )
        return Result(outcome: outcome, virtual: virtual.log.jsonLines, real: real.log.jsonLines)
    }

    /// Makes a run, and says why it is none to compare: it did not come to its end, or an item failed in it.
    private func findings(of run: ScenarioRun) -> [String] {
        let stuck = run.run().map(\.words)
        let failure = scenario.expectsErrors ? nil : run.log.firstError.map { PlayStory.reason($0) }
        return [stuck, failure].compactMap(\.self)
    }

    /// Does blocking work on a thread of its own.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            WorkThread.begin("segue-agree") { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
