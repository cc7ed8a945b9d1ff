import CurlFetch
import Events
import Fetch
import Foundation
import Link
import Media
import Player
import Proxy
import Regression
import Timeline

/// Plays each URL over each network, first in virtual time and then in real time through a proxy on this machine.
struct AgreementTrial: Sendable {
    /// What came of one URL over one network.
    struct Outcome: Sendable {
        /// Counts the cases from 1.
        let number: Int
        let url: String
        let network: String
        /// Nil where one of the runs could not be made.
        let agreement: LogAgreement?
        /// What is wrong with either run: two that failed alike have shown nothing.
        let findings: [String]
        let words: String
        let virtual: String
        let real: String

        var isAgreed: Bool {
            findings.isEmpty && (agreement.map { $0.differences.isEmpty && $0.compared > 0 } ?? false)
        }

        fileprivate init(
            of item: Case,
            agreement: LogAgreement? = nil,
            findings: [String] = [],
            words: String,
            virtual: String = "",
            real: String = ""
        ) {
            (number, url, network) = (item.number, item.url, item.network.name)
            (self.agreement, self.findings, self.words) = (agreement, findings, words)
            (self.virtual, self.real) = (virtual, real)
        }
    }

    fileprivate struct Case: Sendable {
        let number: Int
        let url: String
        let network: LinkProfile
    }

    let scenario: Scenario
    let platform: PlatformProfile
    let app: AppProfile
    let networks: [LinkProfile]
    let proxy: LinkProxy

    /// Runs all cases: first those in virtual time, one after the other, and then those in real time, some at a time, so
    /// that nothing else keeps the machine from being in time.
    ///
    /// - Parameters:
    ///   - urls: The playlists.
    ///   - jobs: How many cases run at a time in real time.
    ///   - tell: Is told of each as it ends.
    /// - Returns: What came of them, in the order of URLs and networks.
    /// - Throws: What `tell` throws.
    func run(_ urls: [String], jobs: Int, tell: (Outcome) throws -> Void) async throws -> [Outcome] {
        let cases = urls.flatMap { url in networks.map { (url, $0) } }.enumerated()
            .map { Case(number: $0.offset + 1, url: $0.element.0, network: $0.element.1) }
        var outcomes: [Int: Outcome] = [:]
        var rest: [Prepared] = []
        for item in cases {
            do {
                rest.append(try await prepared(item))
            } catch {
                let outcome = Outcome(of: item, words: "\(error)")
                outcomes[item.number] = outcome
                try tell(outcome)
            }
        }
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var waiting = rest[...]
            while outcomes.count < cases.count {
                while let next = waiting.first, cases.count - waiting.count - outcomes.count < jobs {
                    waiting.removeFirst()
                    group.addTask {
                        do {
                            return try await Self.onThread { try compared(next) }
                        } catch {
                            return Outcome(of: next.item, words: "\(error)")
                        }
                    }
                }
                guard let outcome = try await group.next() else { return }
                outcomes[outcome.number] = outcome
                try tell(outcome)
            }
        }
        return cases.compactMap { outcomes[$0.number] }
    }

    /// A case whose run in virtual time is made.
    private struct Prepared: Sendable {
        let item: Case
        let setup: ScenarioRun.Setup
        let log: EventLog
        let findings: [String]
        let length: Int
    }

    /// Puts a proxy before the server, and makes the run in virtual time.
    private func prepared(_ item: Case) async throws -> Prepared {
        guard let url = URLComponents(string: item.url), let host = url.host, let port = url.port else {
            throw CommandFailure(item.url, "not an HTTP URL with a port")
        }
        let plan = LinkPlan(
            name: "case \(item.number)",
            network: item.network,
            receiveWindow: platform.loading.receiveWindow,
            routes: [.init(listen: Endpoint(host: "127.0.0.1", port: 0), server: Endpoint(host: host, port: port))]
        )
        guard let bound = try await proxy.add(plan).first else {
            throw CommandFailure(item.url, "nothing is listened on")
        }
        let (near, far) = ("http://\(bound)/", "http://\(host):\(port)/")
        let asked = near + item.url.dropFirst(far.count)
        return try await Self.onThread { try virtual(item, asked: asked, near: near, far: far) }
    }

    /// The run in virtual time, with a server that takes as long for its answers as the one that there is.
    ///
    /// A first run has the server make everything, and tells what is asked for.
    private func virtual(_ item: Case, asked: String, near: String, far: String) throws -> Prepared {
        var setup = ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: asked, background: ServedURL.background(of: asked))],
            platform: platform,
            app: app,
            seed: 1
        )
        let server = try BlockingFetcher()
        var requests: [FetchRequest] = []
        func respond(_ request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
            let moved = request.moved(from: near, to: far)
            let answer = server.respond(to: moved)
            if answer.response.failure == nil { requests.append(moved) }
            return (answer.response.moved(from: far, to: near), answer.body)
        }
        _ = ScenarioRun(setup, network: item.network, respond: respond).run()
        setup.think = try AnswerTimes.median(of: requests)
        let run = ScenarioRun(setup, network: item.network, respond: respond)
        let findings = findings(of: run).map { "in virtual time " + $0 }
        return Prepared(
            item: item,
            setup: setup,
            log: run.log,
            findings: findings,
            length: Int(run.now.seconds.rounded())
        )
    }

    /// The run in real time, and how it compares.
    private func compared(_ virtual: Prepared) throws -> Outcome {
        let real = try ScenarioRun(virtual.setup, inRealTimeBy: 1) { recipient throws(FetchError) in
            try LiveFetcher(recipient)
        }
        let findings = virtual.findings + findings(of: real).map { "in real time " + $0 }
        let agreement = LogAgreement(virtual: virtual.log, real: real.log)
        return Outcome(
            of: virtual.item,
            agreement: agreement,
            findings: findings,
            words:
                "\(agreement.compared) events in \(virtual.length) s, at most \(Int(agreement.greatest * 1000)) ms apart,"
                + " \(agreement.swaps) swapped",
            virtual: virtual.log.jsonLines,
            real: real.log.jsonLines
        )
    }

    /// Makes a run, and says why it is none to compare: it did not come to its end, or an item failed in it.
    private func findings(of run: ScenarioRun) -> [String] {
        let stuck = run.run().map { "\($0.rule): \($0.message)" }
        let failure = scenario.expectsErrors ? nil : run.log.firstError.map { PlayStory.reason($0) }
        return [stuck, failure].compactMap(\.self)
    }

    /// Does blocking work on a thread of its own.
    private static func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            WorkThread.begin("segue-agree") { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}

extension FetchRequest {
    /// The same request of the server itself.
    fileprivate func moved(from near: String, to far: String) -> FetchRequest {
        FetchRequest(
            id: id,
            url: url.hasPrefix(near) ? far + url.dropFirst(near.count) : url,
            range: range,
            isHead: isHead,
            headers: headers,
            patience: patience,
            limit: limit
        )
    }
}

extension FetchResponse {
    /// The same response from where the request went.
    fileprivate func moved(from far: String, to near: String) -> FetchResponse {
        FetchResponse(
            status: status,
            headers: headers,
            url: url.hasPrefix(far) ? near + url.dropFirst(far.count) : url,
            serverAddress: serverAddress,
            isLast: isLast,
            failure: failure
        )
    }
}
