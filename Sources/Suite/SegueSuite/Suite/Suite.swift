package import SegueBase
package import SegueData
internal import SegueOrigin

/// What a regression run was asked for, with every name looked up and every data file checked.
package struct Suite: Sendable {
    /// The files.
    package let files: [MediaFile]

    /// The titles of servers; all of other names than the files.
    package let titles: [Title]

    /// The servers that are to be started before, and ended afterwards.
    package let servers: [ServerCommands]

    /// What they are crossed with.
    package let matrix: Matrix

    /// The data files that the names stand for.
    package let sources: DataPaths

    /// The rules and known issues by which cases are judged.
    package let rules: RuleBook

    /// Looks up all names and checks the data files.
    ///
    /// - Throws: ``HarnessError`` for an unknown name or a file with an error.
    package init(_ given: SuiteSources, _ choices: SuiteChoices, harness: HarnessFolder) throws {
        let platformName = { try DataCheck.platformName($0, in: harness) }
        let scenarios = try choices.scenarioFiles(in: harness)
        let networks = try NamedFiles(choices.networks ?? ["wifi"], .networks, harness, DataCheck.networkName)
        let apps = try NamedFiles(choices.apps ?? ["switch-when-ready"], .apps, harness) {
            try DataCheck.appName($0, in: harness)
        }
        let named = try NamedFiles(choices.platforms ?? [], .platforms, harness, platformName)
        let own = try NamedFiles(Set(scenarios.map(\.platform)).sorted(), .platforms, harness, platformName)
        var sources = DataPaths(harness: harness.path)
        for scenario in scenarios { sources.scenarios[scenario.name] = scenario.path }
        sources.networks = networks.paths
        sources.apps = apps.paths
        sources.platforms = named.paths.merging(own.paths) { first, _ in first }
        if let device = choices.device {
            sources.device = try harness.file(device, of: .devices)
            _ = try sources.device.map(DataCheck.deviceName)
        }
        try sources.add(choices.players)
        (sources.rules, sources.knownIssues, sources.today) = (choices.rules, choices.knownIssues, choices.today)
        rules = try RuleBook(folder: harness, given: sources)
        (files, titles, servers) = (given.files, given.titles, given.servers)
        var matrix = Matrix(
            scenarios: scenarios.map { ($0.name, $0.platform) },
            networks: networks.names,
            platforms: named.names,
            apps: apps.names,
            seeds: [choices.seed]
        )
        matrix.players = choices.players.map(\.name)
        self.matrix = matrix
        self.sources = sources
    }

    /// Where its files and titles stand, by name.
    package var places: [String: SourcePlace] {
        var places: [String: SourcePlace] = [:]
        for file in files { places[file.name] = SourcePlace(path: FileNames.text(file.path)) }
        for title in titles { places[title.name] = title.place }
        return places
    }

    /// A task for each file and title.
    ///
    /// - Parameters:
    ///   - logFolder: The folder for event logs; nil for none.
    ///   - wantsStories: Whether the cases' stories are wanted.
    ///   - think: How long the titles' servers are said to take for each request; nil for as long as they take.
    /// - Returns: The tasks, those of files first.
    package func tasks(logFolder: String?, wantsStories: Bool, limits: FileLimits, think: Duration? = nil) -> [FileTask]
    {
        let ofTitles = titles.map { title in
            var task = FileTask(
                path: [],
                file: title.name,
                cases: matrix.cases(of: title.name),
                sources: sources,
                logFolder: logFolder,
                wantsStories: wantsStories,
                limits: limits
            )
            (task.title, task.think) = (title, think)
            return task
        }
        let ofFiles = files.map { file in
            FileTask(
                path: file.path,
                file: file.name,
                cases: matrix.cases(of: file.name),
                sources: sources,
                logFolder: logFolder,
                wantsStories: wantsStories,
                limits: limits
            )
        }
        return ofFiles + ofTitles
    }
}

extension SuiteChoices {
    fileprivate func scenarioFiles(
        in harness: HarnessFolder
    ) throws -> [(name: String, path: String, platform: String)] {
        try (scenarios ?? Self.usualScenarios).map { name in
            let path = try harness.file(name, of: .scenarios)
            let scenario = try Scenario(fileAt: path, in: harness)
            return (scenario.name, path, try scenario.platform(or: platforms?.first))
        }
    }
}

extension DataPaths {
    fileprivate mutating func add(_ players: [(name: String, command: String)]) throws {
        for player in players {
            guard platforms[player.name] == nil,
                self.players.updateValue(player.command, forKey: player.name) == nil
            else {
                throw HarnessError(
                    file: "--player",
                    key: player.name,
                    message: "is the name of two players or platforms"
                )
            }
        }
    }
}

/// Data files of one kind by the names in them, each once, in the order in which they are given.
private struct NamedFiles {
    var names: [String] = []
    var paths: [String: String] = [:]

    init(
        _ given: [String],
        _ kind: HarnessFolder.Kind,
        _ harness: HarnessFolder,
        _ check: (String) throws -> String
    ) throws {
        for given in given {
            let path = try harness.file(given, of: kind)
            let name = try check(path)
            if paths.updateValue(path, forKey: name) == nil { names.append(name) }
        }
    }
}
