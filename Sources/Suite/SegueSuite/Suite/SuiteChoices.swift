package import SegueBase

/// The names that files and titles are crossed with, and the options of their cases.
///
/// Names are those of the data folder, or paths of files.
package struct SuiteChoices: Sendable {
    /// The scenarios; nil for ``usualScenarios``.
    package var scenarios: [String]?
    /// The networks; nil for `wifi`.
    package var networks: [String]?
    /// The platforms; nil for each scenario's own.
    package var platforms: [String]?
    /// The app policies; nil for `switch-when-ready`.
    package var apps: [String]?
    /// The names of real players and the commands that start their drivers.
    package var players: [(name: String, command: String)] = []
    /// The devices that the player names to the server; nil for none.
    package var devices: [String]?
    /// The rule files; nil for all of the data folder.
    package var rules: [String]?
    /// Files of known issues besides those of the data folder.
    package var knownIssues: [String] = []
    /// The day on which known issues may have expired; nil for none, so that none expires.
    package var today: CalendarDay?
    /// The specifications whose requirements fail a case.
    package var profile = RequirementProfile.usual
    /// The seed of everything random.
    package var seed = 1

    package init(
        scenarios: [String]? = nil,
        networks: [String]? = nil,
        platforms: [String]? = nil,
        devices: [String]? = nil,
        seed: Int = 1
    ) {
        (self.scenarios, self.networks, self.platforms) = (scenarios, networks, platforms)
        (self.devices, self.seed) = (devices, seed)
    }

    /// The default scenarios.
    package static let usualScenarios = ["play-through", "background-and-return"]
}
