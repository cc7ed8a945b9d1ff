import SegueBase
import SegueData
import SegueEvents
import SegueNetworkModel
import SeguePlayerModel
import SegueSuite

/// The rules that a played run is to keep: those of the suite, or somebody's own.
struct PlayRules {
    /// What a network is called that is no simulated one, so that rules for simulated ones do not hold on it.
    private static let realNetwork = "real time"

    private let book: RuleBook
    private let scenario: Scenario
    private let tags: [String]
    private let name: CaseName
    /// What the network carries towards the client in the mean, in bits a second; nil where nobody knows.
    private let rate: Double?

    /// The rules of some files.
    ///
    /// - Parameters:
    ///   - files: The files, by name or path.
    ///   - network: The simulated network; nil for the machine's own.
    /// - Throws: ``HarnessError`` for the first thing that is wrong in them.
    init(
        _ files: [String],
        of command: PlayCommand,
        _ scenario: Scenario,
        _ setup: ScenarioRun.Setup,
        over network: LinkProfile?,
        in harness: HarnessFolder
    ) throws {
        name = CaseName(
            file: command.urls.joined(separator: ", "),
            scenario: scenario.name,
            network: network?.name ?? Self.realNetwork,
            platform: setup.platform.name,
            app: setup.app?.name ?? "",
            seed: command.seed
        )
        var given = DataPaths(harness: harness.path)
        given.scenarios[name.scenario] = command.scenario
        given.platforms[name.platform] = command.platform ?? name.platform
        given.apps[name.app] = command.app
        given.networks[name.network] = command.network ?? name.network
        book = try RuleBook(ruleFiles: files, in: harness, given: given)
        self.scenario = scenario
        tags = command.tag?.names ?? []
        rate = network?.down.rate.mean
    }

    /// What a run broke, which its log tells from then on.
    func judge(_ run: ScenarioRun) -> [Finding] {
        var metrics = CaseMetrics(run.metrics, sampleRate: nil)
        metrics.add(run.log)
        let broken = book.findings(
            for: name,
            log: run.log,
            background: scenario.hasBackground ? metrics.background : nil,
            headroom: headroom(for: run.log),
            metrics: metrics,
            tags: tags
        ).filter { !scenario.withoutRules.contains($0.rule) }
        for finding in broken { run.note(.finding(rule: finding.rule, message: finding.message)) }
        return broken
    }

    /// How many times faster than the greatest variant that was played the network is; infinite where either is unknown.
    private func headroom(for log: EventLog) -> Double {
        let bandwidths = log.events.compactMap { event in
            if case .playlistVariantChosen(_, _, let bandwidth) = event.kind { bandwidth } else { nil }
        }
        guard let rate, let peak = bandwidths.max(), peak > 0 else { return .infinity }
        return rate / Double(peak)
    }
}
