internal import SegueByteCoding
internal import SegueComparison
internal import SegueConformance
internal import SegueData
internal import SegueNetworkModel
internal import SeguePackager
internal import SeguePlayerModel

/// The data files of a file's cases, each read once.
struct CaseData {
    private let scenarios: [String: Scenario]
    private let networks: [String: LinkProfile]
    private let platforms: [String: PlatformProfile]
    private let apps: [String: AppProfile]
    private let players: [String: String]
    private let devices: [String: Device]
    /// The platforms on devices without multitasking.
    private let singleTasking: [String: PlatformProfile]

    let rules: RuleBook

    /// The findings of `segue validate` that are in the nature of a server of single films.
    let waivers: [Waiver]

    /// A device that the player names to the server.
    struct Device {
        var profile = DeviceProfile.any
        /// The checksum of its file; empty without one.
        var checksum = ""
    }

    /// The data of a case.
    struct Choice {
        /// The scenario for the case's platform and app.
        let adapted: AdaptedScenario
        let network: LinkProfile
        let player: Player

        var scenario: Scenario { adapted.scenario }
    }

    enum Player {
        /// The model, with a platform and an app policy.
        case model(PlatformProfile, AppProfile)
        /// A real player, with the command that starts its driver.
        case real(String)
    }

    /// Reads all data files.
    ///
    /// - Throws: ``HarnessError`` for the first error in them.
    init(_ paths: DataPaths) throws {
        let harness = HarnessFolder(path: paths.harness)
        scenarios = try paths.scenarios.mapValues { try Scenario(fileAt: $0, in: harness) }
        networks = try paths.networks.mapValues { try LinkProfile(contentsOfFile: $0) }
        platforms = try paths.platforms.mapValues { try PlatformProfile(contentsOfFile: $0, in: harness) }
        apps = try paths.apps.mapValues { try AppProfile(contentsOfFile: $0, in: harness) }
        players = paths.players
        rules = try RuleBook(folder: harness, given: paths)
        waivers = try ["one-film", "copied"].flatMap { name in
            try WaiverFile.waivers(ofFileAt: try harness.file(name, of: .waivers))
        }
        devices = try paths.devices.mapValues { path in
            Device(profile: try DeviceProfile(contentsOfFile: path), checksum: try LongChecksum.ofFile(at: path))
        }
        let isNeeded = devices.values.contains { !$0.profile.hasMultitasking }
        singleTasking =
            try !isNeeded
            ? [:]
            : paths.platforms.mapValues { path in
                try PlatformProfile(contentsOfFileWithoutMultitasking: path, in: harness)
            }
    }

    /// The device of a case; any player without one.
    ///
    /// - Throws: ``CaseDataError`` for a name without a file.
    func device(of name: CaseName) throws(CaseDataError) -> Device {
        guard let device = name.device else { return Device() }
        guard let found = devices[device] else { throw CaseDataError(name: device) }
        return found
    }

    /// The data for the names of a case.
    ///
    /// - Throws: ``CaseDataError`` for a name without a file.
    func choice(for name: CaseName) throws(CaseDataError) -> Choice {
        func find<Value>(_ name: String, in values: [String: Value]) throws(CaseDataError) -> Value {
            guard let value = values[name] else { throw CaseDataError(name: name) }
            return value
        }
        let scenario = try find(name.scenario, in: scenarios)
        let player: Player
        let adapted: AdaptedScenario
        if let command = players[name.platform] {
            player = .real(command)
            adapted = AdaptedScenario(
                scenario,
                forRealPlayersAs: [scenario.platform, scenario.titlesPlatform].compactMap(\.self).compactMap {
                    platforms[$0]
                }.first
            )
        } else {
            let hasMultitasking = try device(of: name).profile.hasMultitasking
            let platform = try find(name.platform, in: hasMultitasking ? platforms : singleTasking)
            let app = try find(name.app, in: apps)
            player = .model(platform, app)
            adapted = AdaptedScenario(scenario, platform: platform, app: app)
        }
        return Choice(
            adapted: adapted,
            network: try find(name.network, in: networks),
            player: player
        )
    }
}

/// A name in a task without a data file.
struct CaseDataError: Error, CustomStringConvertible {
    let name: String

    var description: String { "the task has no data file for \(name)" }
}
