import SeguePlayer
import Testing

/// Findings that are not due to a rule about audio, and rules that are waived.
@MainActor @Suite struct SearchFindingTests {
    private static let song = "http://server/one/sound.m3u8"

    /// Starts an app with a button that plays, and one that does something else.
    private func start(_ world: World, _ other: @escaping @MainActor () -> Void) {
        world.user.can(.play) {
            world.player.insert(PlayerItem(url: Self.song))
            world.player.play()
        }
        world.user.can("other", other)
    }

    @Test func `a hang of the app's code is a finding with its steps`() async throws {
        let result = try await explore(runs: 20, stopsAtFirst: false) { world in
            start(world) { Task { while world.player.rate >= 0 { await Task.yield() } } }
        }
        let finding = try #require(result.findings.first { $0.rule == "hang" }, "\(result)")
        #expect(finding.message.contains("without time passing"))
        #expect(finding.steps == 1)
        #expect(finding.test.contains("world.user.press(\"other\")"))
        // The search has gone on.
        #expect(result.runs == 20)
    }

    @Test func `a waived rule is counted with its reason, and not reported`() async throws {
        let result = try await explore(runs: 100, waiving: ["unwished": "it is a prank", "leak": "none"]) { world in
            start(world) {}
            world.user.can(.pause) {}
        }
        #expect(!result.findings.contains { $0.rule == "unwished" })
        let waived = try #require(result.waived.first { $0.rule == "unwished" })
        #expect(waived.runs > 0 && waived.reason == "it is a prank")
        #expect("\(result)".contains("waived: unwished (it is a prank), in "))
        #expect("\(result)".contains("waived: leak (none), never violated"))
    }
}
