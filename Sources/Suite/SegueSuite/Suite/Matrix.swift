package import SegueComparison

/// The names that are crossed with every file.
package struct Matrix: Sendable, Equatable {
    /// The scenarios, each with its default platform.
    package var scenarios: [(name: String, platform: String)]
    package var networks: [String]
    /// The platforms; empty for each scenario's own.
    package var platforms: [String]
    package var apps: [String]
    package var seeds: [Int]
    /// The real players, after the platforms; each is its own app.
    package var players: [String] = []

    /// The devices that players name to the server; empty for none.
    package var devices: [String] = []
    /// The combinations that cannot be, which are left out.
    package var impossible: [ImpossibleCase] = []

    /// The prefix of real players, since platforms may have the same names.
    package static let realPrefix = "real-"

    /// The placeholder for the app policy of a real player.
    static let ownApp = "-"

    package init(
        scenarios: [(name: String, platform: String)],
        networks: [String],
        platforms: [String],
        apps: [String],
        seeds: [Int]
    ) {
        self.scenarios = scenarios
        self.networks = networks
        self.platforms = platforms
        self.apps = apps
        self.seeds = seeds
    }

    /// The cases of a file: devices outermost, then scenarios, platforms, app policies, networks, and seeds.
    package func cases(of file: String) -> [CaseName] {
        crossed(file).filter { name in !impossible.contains { $0.covers(name) } }
    }

    /// The combinations that cannot be, each with the number of cases that it leaves out.
    ///
    /// - Parameter files: The selection of each file and title.
    package func leftOut(of files: [CaseSelection]) -> [LeftOut] {
        var counts = Array(repeating: 0, count: impossible.count)
        for name in crossed("") {
            guard let index = impossible.firstIndex(where: { $0.covers(name) }) else { continue }
            counts[index] += files.count { $0.includes(name) }
        }
        return zip(impossible, counts).filter { $1 > 0 }.map { LeftOut($0, cases: $1) }
    }

    private func crossed(_ file: String) -> [CaseName] {
        let clients = crossedWithoutDevices(file)
        guard !devices.isEmpty else { return clients }
        var cases: [CaseName] = []
        for device in devices {
            for var name in clients {
                name.device = device
                cases.append(name)
            }
        }
        return cases
    }

    private func crossedWithoutDevices(_ file: String) -> [CaseName] {
        var cases: [CaseName] = []
        for scenario in scenarios {
            for platform in (platforms.isEmpty ? [scenario.platform] : platforms) + players {
                for app in players.contains(platform) ? [Self.ownApp] : apps {
                    for network in networks {
                        for seed in seeds {
                            cases.append(
                                CaseName(
                                    file: file,
                                    scenario: scenario.name,
                                    network: network,
                                    platform: platform,
                                    app: app,
                                    seed: seed
                                )
                            )
                        }
                    }
                }
            }
        }
        return cases
    }

    package static func == (left: Matrix, right: Matrix) -> Bool {
        left.scenarios.elementsEqual(right.scenarios, by: ==) && left.networks == right.networks
            && left.platforms == right.platforms && left.players == right.players && left.apps == right.apps
            && left.seeds == right.seeds && left.devices == right.devices && left.impossible == right.impossible
    }
}
