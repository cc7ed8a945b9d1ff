import CurlFetch
import Events
import Fetch
import Foundation
import Link
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
        var findings: [String] = []
        let words: String
        let virtual: String
        let real: String

        var isAgreed: Bool {
            findings.isEmpty && (agreement.map { $0.differences.isEmpty && $0.compared > 0 } ?? false)
        }
    }

    private struct Case: Sendable {
        let number: Int
        let url: String
        let network: LinkProfile
    }

    let scenario: Scenario
    let platform: PlatformProfile
    let app: AppProfile
    let networks: [LinkProfile]
    let proxy: LinkProxy

    /// Runs all cases, some at a time.
    ///
    /// - Parameters:
    ///   - urls: The playlists.
    ///   - jobs: How many cases run at a time.
    ///   - tell: Is told of each as it ends.
    /// - Returns: What came of them, in the order of URLs and networks.
    /// - Throws: What `tell` throws.
    func run(_ urls: [String], jobs: Int, tell: (Outcome) throws -> Void) async throws -> [Outcome] {
        let cases = urls.flatMap { url in networks.map { (url, $0) } }.enumerated()
            .map { Case(number: $0.offset + 1, url: $0.element.0, network: $0.element.1) }
        var outcomes: [Int: Outcome] = [:]
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var rest = cases[...]
            while outcomes.count < cases.count {
                while let next = rest.first, cases.count - rest.count - outcomes.count < jobs {
                    rest.removeFirst()
                    group.addTask { await outcome(of: next) }
                }
                guard let outcome = try await group.next() else { return }
                outcomes[outcome.number] = outcome
                try tell(outcome)
            }
        }
        return cases.compactMap { outcomes[$0.number] }
    }

    private func outcome(of item: Case) async -> Outcome {
        func failed(_ words: String) -> Outcome {
            Outcome(
                number: item.number,
                url: item.url,
                network: item.network.name,
                agreement: nil,
                words: words,
                virtual: "",
                real: ""
            )
        }
        guard let url = URLComponents(string: item.url), let host = url.host, let port = url.port else {
            return failed("not an HTTP URL with a port")
        }
        do {
            let plan = LinkPlan(
                name: "case \(item.number)",
                network: item.network,
                receiveWindow: platform.loading.receiveWindow,
                routes: [.init(listen: Endpoint(host: "127.0.0.1", port: 0), server: Endpoint(host: host, port: port))]
            )
            guard let bound = try await proxy.add(plan).first else { return failed("nothing is listened on") }
            let (near, far) = ("http://\(bound)/", "http://\(host):\(port)/")
            let asked = near + item.url.dropFirst(far.count)
            return try await Self.onThread { try compare(item, asked: asked, near: near, far: far) }
        } catch {
            return failed("\(error)")
        }
    }

    /// Both runs, and their comparison.
    ///
    /// The one in virtual time comes first, so that the server has made everything before the one in real time.
    private func compare(_ item: Case, asked: String, near: String, far: String) throws -> Outcome {
        let setup = ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: asked, background: ServedURL.background(of: asked))],
            platform: platform,
            app: app,
            seed: 1
        )
        let server = try BlockingFetcher()
        let virtual = ScenarioRun(setup, network: item.network) { request in
            let answer = server.respond(to: request.moved(from: near, to: far))
            return (answer.response.moved(from: far, to: near), answer.body)
        }
        let real = try ScenarioRun(setup, inRealTimeBy: 1) { recipient throws(FetchError) in try LiveFetcher(recipient) }
        let findings =
            findings(of: virtual).map { "in virtual time " + $0 } + findings(of: real).map { "in real time " + $0 }
        let agreement = LogAgreement(virtual: virtual.log, real: real.log)
        let length = Int(virtual.now.seconds.rounded())
        return Outcome(
            number: item.number,
            url: item.url,
            network: item.network.name,
            agreement: agreement,
            findings: findings,
            words: "\(agreement.compared) events in \(length) s, at most \(Int(agreement.greatest * 1000)) ms apart,"
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
            let thread = Thread { continuation.resume(with: Swift.Result { try work() }) }
            thread.name = "segue-agree"
            thread.start()
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
            serverAddress: serverAddress
        )
    }
}
