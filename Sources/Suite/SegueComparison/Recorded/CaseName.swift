/// The identity of a case: a file, a scenario, a platform, an app policy, a network, a seed, and
/// a device if one is named.
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
    /// The device that the player names to the server; nil without one.
    package var device: String?

    package init(file: String, scenario: String, network: String, platform: String, app: String, seed: Int) {
        self.file = file
        self.scenario = scenario
        self.network = network
        self.platform = platform
        self.app = app
        self.seed = seed
    }

    /// The platform, with the device if there is one.
    package var client: String { platform + (device.map { "@\($0)" } ?? "") }

    /// The scenario, network, platform with its device, and app policy, and the seed unless it is 1.
    package var circumstances: String {
        [scenario, network, client, app].joined(separator: " ") + (seed == 1 ? "" : " seed \(seed)")
    }

    /// A key that is unique to the case.
    package var key: String { [file, scenario, network, client, app, String(seed)].joined(separator: "\u{1F}") }
}
