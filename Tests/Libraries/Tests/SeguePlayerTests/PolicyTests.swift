import Controllers
import Foundation
import Testing

/// Each controller of examples/own-player acts like the policy of its name in Harness/apps, at the same instants.
@MainActor @Suite struct PolicyTests {
    private nonisolated static let policies = [
        "layer-trick", "renditions", "switch-and-resume-audio", "switch-if-rate", "switch-if-was-playing",
        "switch-preloaded", "switch-until-audible", "switch-when-ready",
    ]

    private static let platforms = [
        "ios-3.1", "ios-3.2-ipad", "ios-4.0", "ios-4.2", "ios-4.3", "ios-12.2", "ios-14.0", "ios-15", "ios-26.4",
        "android-media3", "desktop",
    ]

    /// A film and music, over a network that is fast enough and one that is not.
    private static let kinds = [(Stage.films, "wifi"), (Stage.music, "wifi"), (Stage.films, "3g"), (Stage.music, "3g")]

    @Test func `every policy has a controller`() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let apps = here.appendingPathComponent("../../../../Harness/apps").standardizedFileURL.path
        let files = try FileManager.default.contentsOfDirectory(atPath: apps).filter { $0.hasSuffix(".yaml") }
        #expect(files.map { String($0.dropLast(5)) }.sorted() == Self.policies)
        #expect(Controller.all.keys.sorted() == Self.policies)
    }

    /// Every second pair of platform and story, with one of the four kinds in turn.
    @Test(arguments: policies)
    func `a controller acts like its policy in the written stories`(_ policy: String) async throws {
        for (row, platform) in Self.platforms.enumerated() {
            for (column, story) in Story.written.enumerated() where (row + column).isMultiple(of: 2) {
                let (titles, network) = Self.kinds[(row + column) / 2 % Self.kinds.count]
                try await Stage(policy: policy, platform: platform, network: network, titles: titles).compare(story)
            }
        }
    }

    /// The platforms that examine a new item before its tracks are known.
    @Test(arguments: policies)
    func `a controller acts like its policy when the platform rejects an item`(_ policy: String) async throws {
        for story in Story.written {
            try await Stage(policy: policy, platform: "ios-4.3", network: "3g", titles: Stage.films).compare(story)
        }
    }

    @Test(arguments: policies)
    func `a controller acts like its policy in random stories`(_ policy: String) async throws {
        for seed in 1...UInt64(8) {
            var chance = Chance(seed: seed)
            let platform = Self.platforms[Int.random(in: 0..<Self.platforms.count, using: &chance)]
            let (titles, network) = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &chance)]
            let stage = Stage(policy: policy, platform: platform, network: network, titles: titles)
            try await stage.compare(Story(byChance: &chance))
        }
    }
}
