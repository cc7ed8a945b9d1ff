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

    /// All cases of a file: scenarios outermost, then platforms, app policies, networks, and seeds.
    package func cases(of file: String) -> [CaseName] {
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
            && left.seeds == right.seeds
    }
}
