internal import SegueBase
internal import SegueCharts
internal import SegueComparison
package import SegueData
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel

/// Judges event logs by rules, whichever player wrote them.
package struct LogJudge {
    /// Names that replace those in the logs.
    package struct Given: Sendable {
        /// The scenario, by name or file; nil for the one in the log.
        package var scenario: String?
        package var network: String?
        package var platform: String?
        package var app: String?
        package var tags: [String] = []

        package init() {}
    }

    /// The placeholder for an unknown name.
    private static let unnamed = "-"

    private let book: RuleBook
    private let harness: HarnessFolder
    private let tags: [String]
    private var scenario: String?
    private var network: String?
    private var platform: String?
    private var app: String?
    private var paths: DataPaths
    private var scenarios: [String: Scenario?] = [:]
    private var networks: [String: LinkProfile?] = [:]

    /// Looks up the names and reads the rules.
    ///
    /// `rules` are rule files by name or path; nil for the suite's rules and known issues.
    ///
    /// - Throws: `HarnessError`.
    package init(rules: [String]?, _ given: Given, in harness: HarnessFolder) throws {
        var paths = DataPaths(harness: harness.path)
        if let file = try given.scenario.map({ try harness.file($0, of: .scenarios) }) {
            let read = try Scenario(fileAt: file, in: harness)
            scenario = read.name
            scenarios[read.name] = read
            paths.scenarios[read.name] = file
        }
        if let file = try given.network.map({ try harness.file($0, of: .networks) }) {
            let read = try LinkProfile(contentsOfFile: file)
            network = read.name
            networks[read.name] = read
            paths.networks[read.name] = file
        }
        if let file = try given.platform.map({ try harness.file($0, of: .platforms) }) {
            let name = try DataCheck.platformName(file, in: harness)
            (platform, paths.platforms[name]) = (name, file)
        }
        if let file = try given.app.map({ try harness.file($0, of: .apps) }) {
            let name = try DataCheck.appName(file, in: harness)
            (app, paths.apps[name]) = (name, file)
        }
        book =
            try rules.map { try RuleBook(ruleFiles: $0, in: harness, given: paths) }
            ?? RuleBook(folder: harness, given: paths)
        (self.harness, self.paths, tags) = (harness, paths, given.tags)
    }

    /// Judges a log.
    ///
    /// `path` is the log's file, whose name is used if the log names no played file. `wantsStory` decides whether to
    /// include the timeline.
    package mutating func outcome(of logged: LoggedCase, at path: String, wantsStory: Bool) -> CaseOutcome {
        let name = name(of: logged, at: path)
        let scenario = scenario(named: name.scenario)
        var log = logged.log
        var metrics = logged.metrics
        if let scenario, !scenario.hasBackground { metrics.background = nil }
        let broken = book.findings(
            for: name,
            log: log,
            background: metrics.background,
            headroom: network(named: name.network)?.headroom(over: nil, of: log) ?? .infinity,
            metrics: metrics,
            tags: tags
        ).filter { !(scenario?.withoutRules.contains($0.rule) ?? false) }
        let findings = logged.told + broken
        let end = log.events.last?.at ?? .zero
        for finding in findings where !finding.isRemark {
            log.append(.finding(rule: finding.rule, message: finding.message.text), at: end)
        }
        let judgement = book.judgement(of: findings, in: name, tags: tags)
        let result = CaseResult(
            name: name,
            verdict: judgement.verdict,
            findings: judgement.findings,
            metrics: metrics
        )
        var outcome = CaseOutcome(result, story: wantsStory ? RunTimeline(log: log, findings: findings) : nil)
        outcome.trace = TransitionTrace(log: logged.log)
        return outcome
    }

    private func name(of logged: LoggedCase, at path: String) -> CaseName {
        let own = logged.name
        return CaseName(
            file: own?.file ?? path.split(separator: "/").last.map(String.init) ?? path,
            scenario: scenario ?? own?.scenario ?? Self.unnamed,
            network: network ?? own?.network ?? Self.unnamed,
            platform: platform ?? own?.platform ?? Self.unnamed,
            app: app ?? own?.app ?? Self.unnamed,
            seed: own?.seed ?? 0
        )
    }

    /// A scenario of the data folder; nil for an unknown one.
    private mutating func scenario(named name: String) -> Scenario? {
        if let known = scenarios[name] { return known }
        let path = HarnessFolder.isPath(name) ? nil : try? harness.file(name, of: .scenarios)
        let read = path.flatMap { try? Scenario(fileAt: $0, in: harness) }
        scenarios[name] = .some(read)
        return read
    }

    /// A network of the data folder; nil for an unknown one.
    private mutating func network(named name: String) -> LinkProfile? {
        if let known = networks[name] { return known }
        let path = HarnessFolder.isPath(name) ? nil : try? harness.file(name, of: .networks)
        let read = path.flatMap { try? LinkProfile(contentsOfFile: $0) }
        networks[name] = .some(read)
        return read
    }
}
