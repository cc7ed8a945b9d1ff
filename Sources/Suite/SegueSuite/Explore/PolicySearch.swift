internal import Dispatch
internal import SegueBase
internal import SegueCharts
package import SegueData
internal import SegueEvents
package import SegueFetch
package import SegueNetworkModel
package import SeguePlayerModel
package import SegueSearch
internal import Synchronization

/// A search for runs in which an app policy breaks a rule that holds for every app.
package struct PolicySearch: Sendable {
    /// The settings of a search.
    package struct Setup: Sendable {
        /// The items in the order of the queue.
        package var items: [ItemAddress]
        /// The duration of the first item in seconds; nil if unknown.
        package var length: Int?
        package var platform: PlatformProfile
        package var app: AppProfile
        /// The changes to the app's declarations, of which a run makes one or none.
        package var variations: [DeclarationVariation] = []
        /// The network with its name or path; nil lets the search choose.
        package var network: (name: String, profile: LinkProfile)?
        package var harness: HarnessFolder
        /// The number of runs.
        package var runs: Int
        /// The seed of the search.
        package var seed: UInt64
        /// The rules that are not reported.
        package var waived: Set<String> = []

        package init(
            items: [ItemAddress],
            platform: PlatformProfile,
            app: AppProfile,
            harness: HarnessFolder,
            runs: Int,
            seed: UInt64
        ) {
            (self.items, self.platform, self.app) = (items, platform, app)
            (self.harness, self.runs, self.seed) = (harness, runs, seed)
        }
    }

    /// A violation by the app.
    package struct Finding: Sendable {
        package let rule: String
        /// The message in one line.
        package let message: String
        /// The violation, the step that it depends on, and the difference between runs with and without that step.
        package let explanation: String
        /// The number of steps of the scenario.
        package let steps: Int
        /// The text of the scenario's file.
        package let scenario: String
        /// The seed for replaying the scenario.
        package let seed: UInt64
        /// The timeline as SVG.
        package let picture: String
        /// The change to the app's declarations that breaks the rule; nil if the app breaks it as it is.
        package let variation: DeclarationVariation?
    }

    private let setup: Setup
    /// A server that responds on several threads at once.
    package typealias Responder = @Sendable (FetchRequest) -> (response: FetchResponse, body: FetchBytes)

    private let respond: Responder
    private let limits: @Sendable () -> Bool

    /// `respond` is the server, called on several threads at once.
    ///
    /// `isOver` decides whether the time limit is reached; called between batches.
    package init(
        _ setup: Setup,
        respond: @escaping Responder,
        isOver: @escaping @Sendable () -> Bool
    ) {
        (self.setup, self.respond, limits) = (setup, respond, isOver)
    }

    /// Runs the search.
    ///
    /// - Parameter progress: Receives the number of runs and the rules broken so far.
    /// - Returns: The number of runs, a finding for each broken rule, and the violations of waived rules.
    /// - Throws: ``HarnessError`` if a generated scenario cannot be read.
    package func run(
        progress: (Int, [String]) -> Void
    ) throws -> (runs: Int, findings: [Finding], waived: [String: Waived]) {
        var search = Search(
            vocabulary,
            seed: setup.seed,
            limit: max(0, setup.runs),
            stopsAtFirst: false,
            waived: setup.waived
        )
        while true {
            if limits() { search.end() }
            let batch = search.batch()
            guard !batch.isEmpty else { break }
            search.receive(try outcomes(of: batch))
            progress(search.runs, search.findings.map(\.broken.rule))
        }
        // What an app declares comes first: without it, nothing else can be heard.
        let found = search.findings.enumerated().sorted { one, other in
            (one.element.trial.variation ?? .max, one.offset) < (other.element.trial.variation ?? .max, other.offset)
        }
        return (search.runs, try found.map { try finding($0.element) }, search.waived)
    }

    private var vocabulary: Vocabulary {
        var vocabulary = Vocabulary(buttons: [.play, .pause] + (setup.items.count > 1 ? [.next] : []))
        vocabulary.seeks = true
        vocabulary.hasOwnNetwork = setup.network == nil
        vocabulary.lengths = [max(1, setup.length ?? 60)]
        vocabulary.variations = setup.variations.count
        if setup.platform.audioSession.silencedBySwitch.contains(setup.app.declarations.session.category) {
            vocabulary.surroundings += [.silentSwitch(true), .silentSwitch(false)]
        }
        vocabulary.surroundings += Vocabulary.remotes
        vocabulary.surroundings.removeAll { act in
            switch act {
            case .warnOfMemory, .lowPower: true
            default: false
            }
        }
        return vocabulary
    }

    /// The outcomes of a batch, computed on all processors.
    private func outcomes(of batch: [Trial]) throws -> [Outcome] {
        let results = Mutex([Int: Result<Outcome, any Error>]())
        DispatchQueue.concurrentPerform(iterations: batch.count) { index in
            let result = Result { try outcome(of: batch[index]) }
            results.withLock { $0[index] = result }
        }
        return try batch.indices.compactMap { index in try results.withLock { $0[index] }?.get() }
    }

    private func outcome(of trial: Trial) throws -> Outcome {
        let (log, wishes, end) = try play(trial)
        var context = RequirementContext(actions: wishes)
        context.refills = false
        context.endingDecisions = setup.app.endingDecisions
        let broken = RequirementChecker.broken(in: log, context, until: end)
        let variation = trial.variation.map { setup.variations[$0] }
        return Outcome(
            broken: broken.compactMap { broken in
                var rule = broken.rule.rawValue
                if let variation {
                    guard log.misdeclaration != nil, [.silent, .background].contains(broken.rule) else { return nil }
                    rule = variation.name
                }
                return Outcome.Broken(rule: rule, message: broken.message, at: broken.at - .zero)
            },
            footprint: Footprint(log)
        )
    }

    private func play(_ trial: Trial) throws -> (log: EventLog, wishes: [UserAction?], end: Instant) {
        let script = TrialScenario(trial, network: setup.network?.name)
        let scenario = try Scenario(HarnessFile.fields(of: script.text, file: "a trial"), in: setup.harness)
        let run = ScenarioRun(
            ScenarioRun.Setup(
                scenario: scenario,
                items: setup.items,
                platform: setup.platform,
                app: trial.variation.map { setup.app.declaring(setup.variations[$0].declarations) } ?? setup.app,
                seed: trial.seed
            ),
            network: setup.network?.profile ?? trial.conditions.network,
            respond: respond
        )
        _ = run.run()
        return (run.log, script.wishes, run.now)
    }

    private func finding(_ found: Found) throws -> Finding {
        let (log, _, _) = try play(found.trial)
        let keeping = try found.border.map { try play($0.keeper).log }
        let explanation = found.explanation(breaking: log, keeping: keeping)
        let script = TrialScenario(
            found.trial,
            network: setup.network?.name,
            rule: found.broken.rule,
            about: explanation
        )
        return Finding(
            rule: found.broken.rule,
            message: found.broken.message,
            explanation: explanation,
            steps: script.steps,
            scenario: script.text,
            seed: found.trial.seed,
            picture: TimelineDrawing.svg(RunTimeline(log: log), title: found.broken.message, about: [explanation]),
            variation: found.trial.variation.map { setup.variations[$0] }
        )
    }
}
