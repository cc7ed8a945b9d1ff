import Foundation
import SegueBase
import SegueData
import SegueNetworkModel
import SeguePlayerModel
import SegueTestSupport
import Testing

@testable import SegueSuite

/// The shipped scenario that calls every function of the player, over an in-memory stream.
@Suite struct `client-script` {
    private static let harness = HarnessFolder(
        path: Checkout.path("Harness")
    )

    /// The version of each iOS platform, and an app that can run on it.
    private static let stages: [(platform: String, app: String)] = [
        ("ios-3.1", "layer-trick"), ("ios-3.2-ipad", "layer-trick"), ("ios-4.0", "layer-trick"),
        ("ios-4.2", "switch-when-ready"), ("ios-4.3", "switch-when-ready"), ("ios-12.2", "switch-when-ready"),
        ("ios-12.3", "switch-when-ready"), ("ios-14.0", "switch-when-ready"), ("ios-15", "switch-when-ready"),
        ("ios-26.4", "switch-when-ready"), ("ios-6", "switch-when-ready"), ("ios-10", "switch-when-ready"),
        ("ios-13", "switch-when-ready"), ("ios-16", "switch-when-ready"), ("ios-18.4", "switch-when-ready"),
        ("ios-26.2", "switch-when-ready"), ("ios-27", "switch-when-ready"),
    ]

    @Test(arguments: Self.stages, [true, false])
    func `every iOS platform reaches the end`(stage: (platform: String, app: String), hasVideo: Bool) throws {
        let scenario = try Self.scenario
        #expect(scenario.steps.count >= 166)
        let run = try Self.run(scenario, on: stage.platform, app: stage.app, hasVideo: hasVideo, change: nil)
        #expect(run.finding == nil)
        // What was not skipped was done.
        #expect(run.stepsDone == run.adapted.stepCount - run.adapted.skipped)
        #expect(run.adapted.remarks.allSatisfy { $0.isRemark })
    }

    @Test func `every platform of iOS is tested, and states its version`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.harness.path + "/platforms")
            .filter { $0.hasPrefix("ios-") }.map { String($0.dropLast(".yaml".count)) }
        for name in names {
            let path = try Self.harness.file(name, of: .platforms)
            let platform = try PlatformProfile(contentsOfFile: path, in: Self.harness)
            let version = name.dropFirst("ios-".count).prefix { $0 != "-" }
            #expect(platform.system?.description == "iOS \(version)", "\(name)")
        }
        #expect(Set(names).isSuperset(of: Self.stages.map(\.platform)))
    }

    @Test func `steps that a platform does not support are skipped with the reason`() throws {
        let scenario = try Self.scenario
        func reasons(_ platform: String, _ app: String) throws -> [String] {
            try Self.setup(scenario, on: platform, app: app, change: nil).adapted.skips.map(\.reason)
        }
        let latest = try reasons("ios-26.4", "switch-when-ready")
        #expect(latest == [])
        let early = try reasons("ios-4.3", "switch-when-ready")
        #expect(early.contains("the step requires iOS 16 for AVPlayer.defaultRate, and ios-4.3 is iOS 4.3"))
        let first = try reasons("ios-3.1", "layer-trick")
        #expect(first.contains("the step requires a queue-player, and layer-trick uses a movie-player"))
        #expect(first.contains { $0.hasPrefix("ios-3.1 has lifecycle.runs-in-background false (Apple") })
    }

    @Test(
        arguments: [
            ("ios-26.4", "playback: { plays-at-default-rate: { value: false, source: a test } }", nil),
            ("ios-15", "playback: { failed-item: { value: consumed, source: a test } }", nil),
            (
                "ios-15", "background: { interruption: { value: ignored, source: a test } }",
                "expected time-control paused, found playing"
            ),
            (
                "ios-4.3", "background: { interruption: { value: ignored, source: a test } }",
                "expected time-control paused, found playing"
            ),
        ] as [(String, String, String?)]
    )
    func `a changed platform fails at its step, or takes the alternative`(
        platform: String,
        change: String,
        words: String?
    ) throws {
        let run = try Self.run(
            Self.scenario,
            on: platform,
            app: "switch-when-ready",
            hasVideo: true,
            change: change
        )
        guard let words else {
            #expect(run.finding == nil)
            return
        }
        let finding = try #require(run.finding)
        #expect(finding.rule == "step-failed")
        #expect(finding.message.text.contains("client-script/"))
        #expect(finding.message.text.hasSuffix(words), "\(finding.message.text)")
    }

    @Test func `an app that stops in the background fails`() throws {
        let run = try Self.run(Self.scenario, on: "ios-4.3", app: "layer-trick", hasVideo: true, change: nil)
        #expect(run.finding?.message.text.contains("client-script/background.yaml") == true)
    }

    private static var scenario: Scenario {
        get throws { try Scenario(fileAt: harness.file("client-script", of: .scenarios), in: harness) }
    }

    private static func setup(_ scenario: Scenario, on platform: String, app: String, change: String?) throws
        -> ScenarioRun.Setup
    {
        let yaml = "name: changed\ntitle: a test\nbased-on: \(platform)\n\(change ?? "")\n"
        return ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")],
            platform: change == nil
                ? try PlatformProfile(contentsOfFile: harness.file(platform, of: .platforms), in: harness)
                : try PlatformProfile(yaml: yaml, file: harness.path + "/platforms/changed.yaml"),
            app: try AppProfile(contentsOfFile: harness.file(app, of: .apps), in: harness),
            seed: 1
        )
    }

    private static func run(
        _ scenario: Scenario,
        on platform: String,
        app: String,
        hasVideo: Bool,
        change: String?
    ) throws -> (finding: Finding?, stepsDone: Int, adapted: AdaptedScenario) {
        let setup = try setup(scenario, on: platform, app: app, change: change)
        let network = try LinkProfile.named("wifi", in: harness)
        let run = ScenarioRun(setup, network: network, respond: MemoryStream(hasVideo: hasVideo).respond)
        let finding = run.run()
        return (finding, run.stepsDone, setup.adapted)
    }
}
