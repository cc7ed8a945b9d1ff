package import SegueComparison
package import SegueData
internal import SegueOrigin
internal import SeguePackager
internal import SeguePlayerModel

/// A regression suite with all names resolved and all data files checked.
package struct Suite: Sendable {
    package let files: [MediaFile]

    /// The titles on servers; their names differ from those of the files.
    package let titles: [Title]

    /// The servers to start before and stop afterwards.
    package let servers: [ServerCommands]

    /// The names that files and titles are crossed with.
    package let matrix: Matrix

    /// The data files of the names.
    package let sources: DataPaths

    /// The rules and known issues for judging cases.
    package let rules: RuleBook

    /// The specifications whose requirements fail a case; a title may have its own.
    package let profile: RequirementProfile

    /// The releases of apps, by the name of the policy.
    package let releases: [String: AppRelease]

    /// Looks up all names and checks the data files.
    ///
    /// - Throws: ``HarnessError`` for an unknown name or a file with an error.
    package init(_ given: SuiteSources, _ choices: SuiteChoices, harness: HarnessFolder) throws {
        let platformName = { try DataCheck.platformName($0, in: harness) }
        let scenarios = try choices.scenarioFiles(in: harness, isOfTitles: given.files.isEmpty)
        let networks = try NamedFiles(
            choices.networks ?? ["wifi"],
            of: .networks,
            in: harness,
            check: DataCheck.networkName
        )
        let apps = try NamedFiles(choices.apps ?? ["switch-when-ready"], of: .apps, in: harness) {
            try DataCheck.appName($0, in: harness)
        }
        let named = try NamedFiles(choices.platforms ?? [], of: .platforms, in: harness, check: platformName)
        let own = try NamedFiles(
            Set(scenarios.map(\.platform)).sorted(),
            of: .platforms,
            in: harness,
            check: platformName
        )
        var sources = DataPaths(harness: harness.path)
        for scenario in scenarios { sources.scenarios[scenario.name] = scenario.path }
        sources.networks = networks.paths
        sources.apps = apps.paths
        sources.platforms = named.paths.merging(own.paths) { first, _ in first }
        let devices = try NamedFiles(choices.devices ?? [], of: .devices, in: harness, check: DataCheck.deviceName)
        sources.devices = devices.paths
        try sources.add(choices.players)
        (sources.rules, sources.knownIssues, sources.today) = (choices.rules, choices.knownIssues, choices.today)
        rules = try RuleBook(folder: harness, given: sources)
        let profiles = try apps.paths.mapValues { try AppProfile(contentsOfFile: $0, in: harness) }
        releases = profiles.compactMapValues { profile in
            profile.app.flatMap { app in profile.version.map { AppRelease(app: app, version: $0) } }
        }
        (files, titles, servers) = (given.files, given.titles, given.servers)
        profile = choices.profile
        for title in titles {
            try title.check(title.selection.scenarios, of: .scenarios, given: scenarios.map(\.name), in: harness)
            try title.check(title.selection.networks, of: .networks, given: networks.names, in: harness)
        }
        var matrix = Matrix(
            scenarios: scenarios.map { ($0.name, $0.platform) },
            networks: networks.names,
            platforms: named.names,
            apps: apps.names,
            seeds: [choices.seed]
        )
        matrix.players = choices.players.map(\.name)
        matrix.devices = devices.names
        let platformNames = named.names + own.names.filter { !named.names.contains($0) }
        let platforms = try platformNames.compactMap { sources.platforms[$0] }
            .map { try PlatformProfile(contentsOfFile: $0, in: harness) }
        let profilesOfDevices = try devices.names.compactMap { devices.paths[$0] }
            .map { try DeviceProfile(contentsOfFile: $0) }
        matrix.impossible = ImpossibleCase.all(
            platforms: platforms,
            devices: profilesOfDevices,
            apps: apps.names.compactMap { profiles[$0] }
        )
        self.matrix = matrix
        self.sources = sources
        try checkSelection(choices)
    }

    /// The locations of the files and titles, by name.
    package var places: [String: SourcePlace] {
        var places: [String: SourcePlace] = [:]
        for file in files { places[file.name] = SourcePlace(path: FileNames.text(file.path)) }
        for title in titles { places[title.name] = title.place }
        return places
    }

    /// The cases that are left out, since they cannot be.
    package var leftOut: [LeftOut] { matrix.leftOut(of: selections) }

    /// The selection of each file, and then of each title.
    var selections: [CaseSelection] { files.map { _ in .all } + titles.map(\.selection) }

    /// The tasks for all files, then for all titles.
    ///
    /// `logFolder` is the folder for event logs; nil for none. `wantsStories` decides whether to include timelines.
    /// `think` is the server time per request for titles; nil for the measured one.
    package func tasks(logFolder: String?, wantsStories: Bool, limits: FileLimits, think: Duration? = nil) -> [FileTask]
    {
        let task = { (path: [UInt8], name: String) in
            var task = FileTask(path: path, file: name, cases: matrix.cases(of: name), sources: sources, limits: limits)
            (task.logFolder, task.wantsStories, task.profile) = (logFolder, wantsStories, profile)
            return task
        }
        return files.map { task($0.path, $0.name) }
            + titles.map { title in
                var task = task([], title.name)
                task.cases.removeAll { !title.selection.includes($0) }
                (task.title, task.think, task.profile) = (title, think, title.profile ?? profile)
                return task
            }
    }
}

extension Title {
    /// Checks that names of its selection exist, in this run or in the harness.
    fileprivate func check(
        _ names: [String],
        of kind: HarnessFolder.Kind,
        given: [String],
        in harness: HarnessFolder
    ) throws {
        for one in names where !given.contains(one) {
            do {
                _ = try harness.file(one, of: kind)
            } catch {
                let file = place?.path ?? name
                throw HarnessError(file: file, line: place?.line, key: kind.rawValue, message: error.message)
            }
        }
    }
}

extension SuiteChoices {
    fileprivate func scenarioFiles(
        in harness: HarnessFolder,
        isOfTitles: Bool
    ) throws -> [(name: String, path: String, platform: String)] {
        try (scenarios ?? Self.usualScenarios).map { name in
            let path = try harness.file(name, of: .scenarios)
            let scenario = try Scenario(fileAt: path, in: harness)
            let named = platforms?.first ?? (isOfTitles ? scenario.titlesPlatform : nil)
            return (scenario.name, path, try scenario.platform(or: named))
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

/// Data files of one kind by name, without duplicates, in the given order.
private struct NamedFiles {
    var names: [String] = []
    var paths: [String: String] = [:]

    init(
        _ given: [String],
        of kind: HarnessFolder.Kind,
        in harness: HarnessFolder,
        check: (String) throws -> String
    ) throws {
        for given in given {
            let path = try harness.file(given, of: kind)
            let name = try check(path)
            if paths.updateValue(path, forKey: name) == nil { names.append(name) }
        }
    }
}
