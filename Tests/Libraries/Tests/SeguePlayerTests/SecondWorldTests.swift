import SeguePlayer
import Testing

/// An app with two players, each in a world of its own.
@MainActor @Suite struct SecondWorldTests {
    private static let song = "http://server/one/sound.m3u8"

    /// Plays in the second world at the user's request in the first.
    private func broken(
        _ happens: @escaping @MainActor (_ first: World, _ second: World) async throws -> Void
    ) async throws -> (first: [String], second: [String]) {
        try await withWorld(platform: "ios-15") { first in
            let second = try World(platform: "ios-15")
            second.player.insert(PlayerItem(url: Self.song))
            first.user.does(.play) { second.player.play() }
            try await happens(first, second)
            try await Task.sleep(for: .seconds(60))
            return (first.broken.map(\.rule), second.broken.map(\.rule))
        }
    }

    @Test func `one audible player suffices`() async throws {
        let rules = try await broken { _, _ in }
        #expect(rules.first == [] && rules.second == [], "\(rules)")
    }

    @Test func `two silent players break the rule silent once`() async throws {
        let rules = try await broken { _, second in
            try await Task.sleep(for: .seconds(10))
            second.player.pause()
        }
        #expect(rules.first == ["silent"] && rules.second == [], "\(rules)")
    }

    @Test func `a player that goes on after a pause breaks the rule unwished`() async throws {
        for pauses in [true, false] {
            let rules = try await broken { first, second in
                try await Task.sleep(for: .seconds(10))
                first.user.does(.pause) { if pauses { second.player.pause() } }
            }
            #expect(rules.first == [] && rules.second == (pauses ? [] : ["unwished"]), "\(rules)")
        }
    }

    @Test func `worlds of another run do not matter`() async throws {
        _ = try await broken { _, _ in }
        let rules = try await withWorld(platform: "ios-15") { world in
            world.player.insert(PlayerItem(url: Self.song))
            world.user.does(.play) {}
            try await Task.sleep(for: .seconds(60))
            return world.broken.map(\.rule)
        }
        #expect(rules == ["silent"])
    }
}
