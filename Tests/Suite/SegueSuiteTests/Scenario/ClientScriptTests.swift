import Foundation
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

    @Test func `every step meets its expectation`() throws {
        let scenario = try Scenario(fileAt: Self.harness.file("client-script", of: .scenarios), in: Self.harness)
        #expect(scenario.steps.count >= 166)
        #expect(try Self.run(scenario, hasVideo: true, change: nil) == nil)
        #expect(try Self.run(scenario, hasVideo: false, change: nil) == nil)
    }

    @Test(arguments: [
        ("playback: { plays-at-default-rate: { value: true, source: a test } }", "expected rate 1, found 1.5"),
        ("playback: { failed-item: { value: consumed, source: a test } }", "expected status failed, found none"),
        (
            "background: { interruption: { value: ignored, source: a test } }",
            "expected time-control paused, found playing"
        ),
    ])
    func `a changed platform fails at its step`(change: String, words: String) throws {
        let scenario = try Scenario(fileAt: Self.harness.file("client-script", of: .scenarios), in: Self.harness)
        let finding = try #require(try Self.run(scenario, hasVideo: true, change: change))
        #expect(finding.rule == "step-failed")
        #expect(finding.message.contains("client-script/"))
        #expect(finding.message.hasSuffix(words), "\(finding.message)")
    }

    private static func run(_ scenario: Scenario, hasVideo: Bool, change: String?) throws -> Finding? {
        let yaml = "name: changed\ntitle: a test\nbased-on: ios-15\n\(change ?? "")\n"
        let setup = ScenarioRun.Setup(
            scenario: scenario,
            items: [ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")],
            platform: try PlatformProfile(yaml: yaml, file: harness.path + "/platforms/changed.yaml"),
            app: try AppProfile(contentsOfFile: harness.file("switch-when-ready", of: .apps), in: harness),
            seed: 1
        )
        let network = try LinkProfile.named("wifi", in: harness)
        return ScenarioRun(setup, network: network, respond: MemoryStream(hasVideo: hasVideo).respond).run()
    }
}
