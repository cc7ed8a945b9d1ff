import SegueBase
import SegueData
import SegueFetch
import SegueHarnessFiles
import SegueNetworkModel
import SeguePlayerModel
import SegueSearch
import Testing

@testable import SegueSuite

/// A search for failures of an app policy, and the files that it writes.
@Suite struct PolicySearchTests {
    private static let harness = HarnessFolder(path: HarnessData.path)

    private func search(
        app: String,
        platform: String = "ios-4.3",
        network: String? = nil,
        declaring declarations: AppDeclarations? = nil,
        varies: Bool = false,
        seed: UInt64 = 1,
        waived: Set<String> = [],
        runs: Int,
        isOver: @escaping @Sendable () -> Bool = { false }
    ) throws -> (runs: Int, findings: [PolicySearch.Finding], waived: [String: Waived]) {
        let stream = MemoryStream(seconds: 120)
        let address = ItemAddress(
            full: MemoryStream.url,
            background: MemoryStream.url + "?background=1",
            multivariant: MemoryStream.url
        )
        var setup = PolicySearch.Setup(
            items: [address],
            platform: try PlatformProfile(
                contentsOfFile: Self.harness.file(platform, of: .platforms),
                in: Self.harness
            ),
            app: try AppProfile(contentsOfFile: Self.harness.file(app, of: .apps), in: Self.harness),
            harness: Self.harness,
            runs: runs,
            seed: seed
        )
        setup.waived = waived
        if let declarations { setup.app = setup.app.declaring(declarations) }
        if varies { setup.variations = DeclarationVariation.all(of: setup.app.declarations) }
        setup.length = 120
        setup.network = try network.map { name in
            let path = try Self.harness.file(name, of: .networks)
            return (path, try LinkProfile(contentsOfFile: path))
        }
        let search = PolicySearch(setup, respond: { stream.respond(to: $0) }, isOver: isOver)
        return try search.run { _, _ in }
    }

    @Test func `finds the article's bug and its threshold`() throws {
        let (runs, findings, _) = try search(app: "switch-if-was-playing", runs: 200)
        #expect(runs == 200)
        let finding = try #require(findings.first { ["rejected", "background"].contains($0.rule) })
        #expect(finding.steps <= 5)
        #expect(finding.explanation.contains("it breaks at"))
        #expect(finding.picture.hasPrefix("<svg"))
        #expect(finding.scenario.contains("do: background"))
    }

    @Test func `writes a scenario that fails`() throws {
        let (_, findings, _) = try search(app: "switch-if-was-playing", runs: 200)
        let finding = try #require(findings.first { ["rejected", "background"].contains($0.rule) })
        for (app, fails) in [("switch-if-was-playing", true), ("switch-when-ready", false)] {
            let stream = MemoryStream(seconds: 120)
            let setup = ScenarioRun.Setup(
                scenario: try Scenario(HarnessFile.fields(of: finding.scenario, file: "found"), in: Self.harness),
                items: [ItemAddress(full: MemoryStream.url, background: MemoryStream.url + "?background=1")],
                platform: try PlatformProfile(
                    contentsOfFile: Self.harness.file("ios-4.3", of: .platforms),
                    in: Self.harness
                ),
                app: try AppProfile(contentsOfFile: Self.harness.file(app, of: .apps), in: Self.harness),
                seed: finding.seed
            )
            // The scenario defines its own network.
            let wifi = try LinkProfile(contentsOfFile: Self.harness.file("wifi", of: .networks))
            let run = ScenarioRun(setup, network: wifi) { stream.respond(to: $0) }
            #expect((run.run() != nil) == fails, "\(app)")
        }
    }

    @Test func `finds the crash of an app that disconnects its layer on 4 point 3, and only there`() throws {
        let finding = try #require(try search(app: "renditions", runs: 100).findings.first { $0.rule == "crash" })
        #expect(finding.message.contains("AVPlayerLayer was disconnected"))
        #expect(finding.scenario.contains("kind: app.terminated, count: \"0\""))
        #expect(try !search(app: "renditions", platform: "ios-4.2", runs: 100).findings.contains { $0.rule == "crash" })
        #expect(try !search(app: "switch-when-ready", runs: 100).findings.contains { $0.rule == "crash" })
    }

    @Test func `finds that a film resumed from outside of the app stops on 4 point 3, and not before`() {
        func found(_ platform: String, _ app: String) -> PolicySearch.Finding? {
            (1...3 as ClosedRange<UInt64>).lazy.compactMap { seed in
                try? search(app: app, platform: platform, network: "lan", seed: seed, runs: 400).findings.first {
                    $0.rule == "background" && $0.scenario.contains("do: remote, command: play")
                }
            }.first
        }
        #expect(found("ios-4.3", "switch-when-ready") != nil)
        #expect(found("ios-4.2", "switch-when-ready") == nil)
    }

    @Test func `keeps a named network`() throws {
        let (_, findings, _) = try search(app: "switch-if-was-playing", network: "lan", runs: 100)
        #expect(!findings.contains { $0.scenario.contains("a search\", down: { rate: 1 kbit") })
        for finding in findings { #expect(!finding.explanation.contains("kbit/s")) }
    }

    @Test func `ends at its time limit`() throws {
        let (runs, findings, _) = try search(app: "switch-if-was-playing", runs: 1000) { true }
        #expect(runs == 0)
        #expect(findings.isEmpty)
    }

    @Test func `gives the same result each time`() throws {
        let once = try search(app: "switch-if-rate", runs: 100), again = try search(app: "switch-if-rate", runs: 100)
        #expect(once.findings.map(\.scenario) == again.findings.map(\.scenario))
        #expect(once.findings.map(\.explanation) == again.findings.map(\.explanation))
    }

    @Test func `finds the declaration that is missing or wrong, and the shortest scenario that shows it`() throws {
        let (_, findings, _) = try search(app: "switch-when-ready", platform: "ios-12.2", varies: true, runs: 100)
        let found = findings.filter { $0.variation != nil }
        // Playback activates the session, so an app that does not is heard.
        let names = ["no-background-mode", "category-soloAmbient", "category-ambient", "category-record"]
        #expect(found.map(\.rule) == names)
        #expect(findings.map(\.rule).starts(with: names))
        let mode = try #require(found.first { $0.rule == "no-background-mode" })
        let fix = "background-modes lacks audio: add it to the app (UIBackgroundModes in Info.plist)"
        #expect(mode.message.hasSuffix("in the background; \(fix)"))
        #expect(mode.steps <= 5, "\(mode.scenario)")
        #expect(mode.scenario.contains("do: background") && mode.scenario.contains("audible: true"))
        let record = try #require(found.first { $0.rule == "category-record" })
        #expect(record.message.contains("audio-session.category is record, which plays no audio: set playback"))
        #expect(record.steps < mode.steps)
    }

    @Test func `an app with a missing declaration breaks the rule for background audio first`() throws {
        let (_, findings, _) = try search(
            app: "switch-when-ready",
            declaring: AppDeclarations(backgroundModes: []),
            runs: 50
        )
        let first = try #require(findings.first)
        #expect(first.rule == "background")
        #expect(first.variation == nil)
        #expect(first.message.contains("background-modes lacks audio: add it"), "\(first.message)")
    }

    @Test func `the search sets the silent switch where it silences the app`() throws {
        let settings = AudioSessionSettings(category: .soloAmbient)
        let found = (1...4 as ClosedRange<UInt64>).lazy.compactMap { seed in
            try? search(
                app: "switch-when-ready",
                platform: "ios-12.2",
                network: "lan",
                declaring: AppDeclarations(session: settings),
                seed: seed,
                runs: 100
            ).findings.first { $0.rule == "silent" && $0.message.contains("which the Ring/Silent switch silences") }
        }.first
        let silent = try #require(found)
        #expect(silent.scenario.contains("do: silent-switch, is: on"))
        #expect(silent.message.contains("silences: set playback"))
    }

    @Test(arguments: ["switch-until-audible", "switch-preloaded"], ["ios-4.3", "ios-12.2", "ios-15", "ios-18.4"])
    func `finds nothing else in an app that only does not switch at a command in the background`(
        app: String,
        platform: String
    ) throws {
        for seed in 1...2 as ClosedRange<UInt64> {
            let waived: Set<String> = ["background", "rejected"]
            let findings = try search(app: app, platform: platform, seed: seed, waived: waived, runs: 60).findings
            #expect(findings.isEmpty, "\(findings.map(\.explanation))")
        }
    }

    @Test func `a waived rule is counted, and not reported`() throws {
        let found = try search(app: "switch-if-rate", waived: ["background", "task"], runs: 100)
        #expect(!found.findings.contains { $0.rule == "background" })
        #expect(found.waived["background"]?.runs ?? 0 > 0)
        #expect(found.waived["background"]?.message?.contains("no audio for 20 s") ?? false)
        #expect(found.waived["task"] == Waived())
    }
}
