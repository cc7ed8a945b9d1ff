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
    /// The outcome of a case with its logs as JSON Lines; empty for a run that failed.
    struct Result: Sendable {
        let outcome: AgreementOutcome
        var virtual = ""
        var real = ""
    }

    /// The maximum one-way delay of the line for measuring response times.
    private static let longestMeasuringDelay = Duration.milliseconds(20)

    /// The maximum of the client's share of a request's time apart from the line: half of it, since the same machine
    /// wakes client and server.
    private static let longestReaction = Duration.microseconds(300)

    let scenario: Scenario
    let platform: PlatformProfile
    let app: AppProfile
    let networks: [LinkProfile]
    let proxy: LinkProxy

    /// Runs all cases: first in virtual time, one after the other, then in real time with limited parallelism, so that
    /// the machine keeps up, and then again in virtual time where they differ.
    ///
    /// `jobs` is the number of parallel cases in real time. `tell` receives each result, in the order of URLs and
    /// networks.
    ///
    /// - Throws: An error of `tell`.
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
                // Every prepared case was played.
                guard let real = try real[item.number]?.get() else { continue }
                let lateness = try await proxy.status(Self.linkName(item)).lateness
                result = try await Self.onThread { try judged(virtual, real, lateness: lateness) }
            } catch {
                result = Result(outcome: AgreementOutcome(of: item, failure: "\(error)"))
            }
            try tell(result)
        }
    }

    /// A case with its run in virtual time.
    private struct Virtual: Sendable {
        let item: AgreementOutcome.Case
        let network: LinkProfile
        let places: ServerAddresses
        let setup: ScenarioRun.Setup
        let log: EventLog
        let findings: [String]
        let length: Duration
    }

    /// The result of a run in real time.
    private struct Real: Sendable {
        let log: EventLog
        let findings: [String]
    }

    private static func linkName(_ item: AgreementOutcome.Case) -> String { "case \(item.number)" }

    // MARK: Virtual time

    /// Puts a proxy in front of the server, and runs the case in virtual time.
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
                over: network,
                places: ServerAddresses(server: "\(host):\(port)", proxy: "\(bound)"),
                measuring: ServerAddresses(server: "\(host):\(port)", proxy: "\(other)"),
                delay: delay
            )
        }
        try await proxy.remove(measuring)
        return virtual
    }

    private func listen(_ name: String, _ network: LinkProfile, before server: Endpoint) async throws -> Endpoint {
        let plan = LinkPlan(
            name: name,
            network: network,
            receiveWindow: platform.loading.requesting.receiveWindow,
            routes: [.init(listen: Endpoint(host: "127.0.0.1", port: 0), server: server)]
        )
        guard let bound = try await proxy.add(plan).first else {
            throw CommandFailure(name, "the proxy does not listen")
        }
        return bound
    }

    /// The run in virtual time, with the response times of the real server.
    ///
    /// A first run makes the server create all resources, and records the requests. The response times are then
    /// measured through the proxy on a line with a known delay, which is subtracted; the forwarding time of the machine
    /// also occurs in real time. The delay is that of the network if it is short: a machine that slept for it takes
    /// half a millisecond longer.
    private func virtual(
        _ item: AgreementOutcome.Case,
        over network: LinkProfile,
        places: ServerAddresses,
        measuring: ServerAddresses,
        delay: Duration
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
        let time = try ResponseTimes.median(of: asking.requests.map(measuring.throughProxy))
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

    /// Sends requests for the proxy to the server itself, and records them.
    private final class Asking {
        private let server: BlockingFetcher
        private let places: ServerAddresses
        private(set) var requests: [FetchRequest] = []
        private var counter = ResponseDelays.Counter()
        private let serverTime: (ResponseDelays.Request) -> Duration?
        private let pace = RealPace()

        init(
            server: BlockingFetcher,
            places: ServerAddresses,
            serverTime: @escaping (ResponseDelays.Request) -> Duration? = { _ in nil }
        ) {
            (self.server, self.places, self.serverTime) = (server, places, serverTime)
        }

        func respond(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
            // A live server then follows the run's time, and not the machine's.
            var direct = places.direct(request.tellingTime)
            direct.cameAt = request.cameAt
            let answer = pace.answer(direct, head: { $0.response }, server.respond)
            if answer.response.failure == nil { requests.append(direct) }
            let time = serverTime(counter.next(request.url))
            return (places.throughProxy(answer.response, serverTime: time), answer.body)
        }
    }

    // MARK: Real time

    /// The runs in real time, by case number.
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

    /// Runs a case, and returns the reasons why it cannot be compared: it did not finish, or an item failed.
    private func findings(of run: ScenarioRun) -> [String] {
        let stuck = run.run().map(\.words)
        let failure = scenario.expectsErrors ? nil : run.log.firstError?.sentence.text
        return [stuck, failure].compactMap(\.self)
    }

    /// Performs blocking work on a thread of its own.
    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            WorkThread.begin("segue-agree") { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
