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

    /// The scenarios where none are named.
    package static let usualScenarios = ["play-through", "background-and-return"]

    /// Looks everything up.
    ///
    /// - Parameters:
    ///   - given: Folders, files, URLs and title lists.
    ///   - scenarios: Names or files; nil for the usual two.
    ///   - networks: Names or files; nil for `wifi`.
    ///   - platforms: Names or files; nil for each scenario's own.
    ///   - apps: Names or files; nil for `switch-when-ready`.
    ///   - players: The commands that start real players' drivers, with what the players are called.
    ///   - device: The name or file of the device that the player names to the server; nil for none.
    ///   - rules: Rule files, by name or path; nil for all of the data folder.
    ///   - knownIssues: Files of known issues besides those of the data folder.
    ///   - today: The day on which known issues are judged; nil for none, so that none expires.
    ///   - seed: The seed of everything random.
    ///   - harness: The data folder.
    /// - Throws: ``HarnessError`` with what is wrong.
    package init(
        _ given: SuiteSources,
        scenarios: [String]?,
        networks: [String]?,
        platforms: [String]?,
        apps: [String]?,
        players: [(name: String, command: String)] = [],
        device: String? = nil,
        rules: [String]? = nil,
        knownIssues: [String] = [],
        today: CalendarDay? = nil,
        seed: Int,
        harness: HarnessFolder
    ) throws {
        var sources = DataPaths(harness: harness.path)
        var chosen: [(name: String, platform: String)] = []
        for name in scenarios ?? Suite.usualScenarios {
            let path = try harness.file(name, of: .scenarios)
            let scenario = try Scenario(fileAt: path, in: harness)
            sources.scenarios[scenario.name] = path
            chosen.append((scenario.name, try scenario.platform(or: platforms?.first)))
        }
        func look(_ names: [String], _ kind: HarnessFolder.Kind, _ check: (String) throws -> String) throws
            -> (names: [String], paths: [String: String])
        {
            var found: (names: [String], paths: [String: String]) = ([], [:])
            for given in names {
                let path = try harness.file(given, of: kind)
                let name = try check(path)
                if found.paths.updateValue(path, forKey: name) == nil { found.names.append(name) }
            }
            return found
        }
        let platformName = { try DataCheck.platformName($0, in: harness) }
        let nets = try look(networks ?? ["wifi"], .networks, DataCheck.networkName)
        let policies = try look(apps ?? ["switch-when-ready"], .apps) { try DataCheck.appName($0, in: harness) }
        let named = try look(platforms ?? [], .platforms, platformName)
        let own = try look(Array(Set(chosen.map(\.platform))).sorted(), .platforms, platformName)
        sources.networks = nets.paths
        sources.apps = policies.paths
        sources.platforms = named.paths.merging(own.paths) { first, _ in first }
        if let device {
            sources.device = try harness.file(device, of: .devices)
            _ = try sources.device.map(DataCheck.deviceName)
        }
        for player in players {
            guard sources.platforms[player.name] == nil,
                sources.players.updateValue(player.command, forKey: player.name) == nil
            else {
                throw HarnessError(
                    file: "--player",
                    key: player.name,
                    message: "is the name of two players or platforms"
                )
            }
        }
        (sources.rules, sources.knownIssues, sources.today) = (rules, knownIssues, today)
        self.rules = try RuleBook(folder: harness, given: sources)
        (files, titles, servers) = (given.files, given.titles, given.servers)
        var matrix = Matrix(
            scenarios: chosen,
            networks: nets.names,
            platforms: named.names,
            apps: policies.names,
            seeds: [seed]
        )
        matrix.players = players.map(\.name)
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
    ///   - limits: What each may use.
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
