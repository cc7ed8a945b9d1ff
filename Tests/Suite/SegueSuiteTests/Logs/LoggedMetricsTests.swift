import Foundation
import SegueBase
import SegueData
import SegueEvents
import SegueFetch
import SegueNetworkModel
import SeguePlayerModel
import SegueTestSupport
import Testing

@testable import SegueSuite

/// The metrics of a session equal those of its log.
@Suite struct `Metrics of a log` {
    private static let harness = HarnessFolder(
        path: Checkout.path("Harness")
    )

    /// The metrics of a run, from the session and from its log.
    private func metrics(scenario: String, network: String, app: String, platform: String) throws -> (
        own: CaseMetrics, logged: CaseMetrics, log: EventLog
    ) {
        let scenario = try Scenario(fileAt: Self.harness.file(scenario, of: .scenarios), in: Self.harness)
        let platform = try Self.harness.file(platform, of: .platforms)
        let setup = ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")],
            platform: try PlatformProfile(contentsOfFile: platform, in: Self.harness),
            app: try AppProfile(contentsOfFile: Self.harness.file(app, of: .apps), in: Self.harness),
            seed: 1
        )
        let line = try LinkProfile(contentsOfFile: Self.harness.file(network, of: .networks))
        let run = ScenarioRun(setup, network: line, respond: MemoryStream().respond)
        _ = run.run()
        var own = CaseMetrics(run.metrics, sampleRate: nil)
        own.add(run.log)
        let read = try EventLog(jsonLines: run.log.jsonLines)
        var logged = LoggedCase()
        for event in read.events { try logged.add(Data(event.jsonLine.utf8)) }
        return (own, logged.metrics, read)
    }

    @Test(
        arguments: ["play-through", "background-and-return"],
        ["wifi", "3g", "edge"]
    )
    func `equal those of the session`(scenario: String, network: String) throws {
        var backgrounds: Set<String?> = []
        for app in Self.harness.names(of: .apps) {
            for platform in ["desktop", "ios-4.3"] {
                let (own, logged, log) = try metrics(
                    scenario: scenario,
                    network: network,
                    app: app,
                    platform: platform
                )
                let what = Comment(rawValue: "\(app) on \(platform)")
                backgrounds.insert(own.background)
                #expect(logged.background == own.background, what)
                for metric in Budget.Metric.allCases where metric != .bytes && metric != .bitrate {
                    let (one, other) = (own[metric], logged[metric])
                    #expect((one == nil) == (other == nil), "\(metric), \(what)")
                    // Times and positions in a log are rounded to a microsecond.
                    #expect(abs((one ?? 0) - (other ?? 0)) < 0.000_02, "\(metric), \(what)")
                }
                #expect(abs((own.bitrate ?? 0) - (logged.bitrate ?? 0)) <= 1, what)
                // A log does not contain the bytes of requests that failed or were pending at the end.
                let began = log.events.count { if case .requestBegan = $0.kind { true } else { false } }
                let told = log.events.count { event in
                    switch event.kind {
                    case .requestFinished, .requestCancelled: true
                    default: false
                    }
                }
                if began == told { #expect(logged.bytes == own.bytes, what) }
                #expect(try #require(logged.bytes) <= own.bytes ?? 0, what)
            }
        }
        #expect(scenario == "play-through" || backgrounds.count > 1)
    }
}
