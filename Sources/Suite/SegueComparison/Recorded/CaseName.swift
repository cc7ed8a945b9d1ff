/// The identity of a case: a file, a scenario, a platform, an app policy, a network, and a seed.
///
/// It stays the same from run to run.
package struct CaseName: Sendable, Hashable, Codable {
    /// The path below the given folder.
    package var file: String
    package var scenario: String
    package var network: String
    package var platform: String
    package var app: String
    package var seed: Int

    package init(file: String, scenario: String, network: String, platform: String, app: String, seed: Int) {
        self.file = file
        self.scenario = scenario
        self.network = network
        self.platform = platform
        self.app = app
        self.seed = seed
    }

    /// The scenario, network, platform, and app policy, and the seed unless it is 1.
    package var circumstances: String {
        [scenario, network, platform, app].joined(separator: " ") + (seed == 1 ? "" : " seed \(seed)")
    }

    /// A key that is unique to the case.
    package var key: String { [file, scenario, network, platform, app, String(seed)].joined(separator: "\u{1F}") }
}
