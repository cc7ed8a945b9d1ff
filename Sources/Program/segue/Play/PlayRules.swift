import SegueBase
internal import SegueComparison
import SegueData
import SegueEvents
import SegueNetworkModel
import SeguePlayerModel
import SegueSuite

/// The rules for a played run: those of the suite, or of other files.
struct PlayRules {
    /// The name of a real network, so that rules for simulated networks do not apply.
    private static let realNetwork = "real time"

    private let book: RuleBook
    private let scenario: Scenario
    private let tags: [String]
    private let name: CaseName
    /// The mean downstream rate of the network in bits per second; nil if unknown.
    private let rate: Double?

    /// The rules of files.
    ///
    /// `files` are names or paths. `network` is the simulated network; nil for the machine's own.
    ///
    /// - Throws: ``HarnessError`` for the first error in them.
    init(
        _ files: [String],
        of command: PlayCommand,
        scenario: Scenario,
        setup: ScenarioRun.Setup,
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

    /// The violations of a run, which are added to its log.
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
        for finding in broken { run.note(.finding(rule: finding.rule, message: finding.message.text)) }
        return broken
    }

    /// The ratio of the network's rate to the highest variant that was played; infinite if either is unknown.
    private func headroom(for log: EventLog) -> Double {
        let bandwidths = log.events.compactMap { event in
            if case .playlistVariantChosen(_, _, let bandwidth) = event.kind { bandwidth } else { nil }
        }
        guard let rate, let peak = bandwidths.max(), peak > 0 else { return .infinity }
        return rate / Double(peak)
    }
}
