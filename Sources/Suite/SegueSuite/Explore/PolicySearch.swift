internal import Dispatch
internal import SegueBase
internal import SegueCharts
package import SegueData
internal import SegueEvents
package import SegueFetch
package import SegueNetworkModel
package import SeguePlayerModel
internal import SegueSearch
internal import Synchronization

/// A search for runs in which an app policy breaks a rule that holds for every app.
package struct PolicySearch: Sendable {
    /// What is searched.
    package struct Setup: Sendable {
        /// The items, in the order of the queue.
        package var items: [ItemAddress]
        /// How long the first is, in seconds; nil where that is not known.
        package var length: Int?
        /// The platform.
        package var platform: PlatformProfile
        /// The app policy.
        package var app: AppProfile
        /// The network with the name or the path that it is asked for by; nil has the search choose it.
        package var network: (name: String, profile: LinkProfile)?
        /// The data folder.
        package var harness: HarnessFolder
        /// In how many runs a broken rule is looked for.
        package var runs: Int
        /// Which way it goes.
        package var seed: UInt64

        /// What is searched.
        package init(
            items: [ItemAddress],
            length: Int?,
            platform: PlatformProfile,
            app: AppProfile,
            network: (name: String, profile: LinkProfile)?,
            harness: HarnessFolder,
            runs: Int,
            seed: UInt64
        ) {
            (self.items, self.length, self.platform, self.app) = (items, length, platform, app)
            (self.network, self.harness, self.runs, self.seed) = (network, harness, runs, seed)
        }
    }

    /// A rule that the app broke.
    package struct Finding: Sendable {
        /// The rule's name.
        package let rule: String
        /// What was found, in one line.
        package let message: String
        /// What was found, on what it hangs, and where the runs on both sides of that part.
        package let explanation: String
        /// How many steps the scenario has.
        package let steps: Int
        /// The scenario's file.
        package let scenario: String
        /// The seed that the scenario is to be played with.
        package let seed: UInt64
        /// The picture, an SVG.
        package let picture: String
    }

    private let setup: Setup
    /// Answers requests, on several threads at a time.
    package typealias Responder = @Sendable (FetchRequest) -> (response: FetchResponse, body: FetchBytes)

    private let respond: Responder
    private let limits: @Sendable () -> Bool

    /// A search.
    ///
    /// - Parameters:
    ///   - respond: What the server answers; asked on several threads at a time.
    ///   - isOver: Whether the time for it is over; asked between batches.
    package init(
        _ setup: Setup,
        respond: @escaping Responder,
        isOver: @escaping @Sendable () -> Bool
    ) {
        (self.setup, self.respond, limits) = (setup, respond, isOver)
    }

    /// Searches.
    ///
    /// - Parameter progress: Is told in how many runs a broken rule was looked for, and what was found.
    /// - Returns: In how many runs a broken rule was looked for, and what was found, each rule once.
    /// - Throws: ``HarnessError`` where a scenario of the search cannot be read.
    package func run(progress: (Int, [String]) -> Void) throws -> (runs: Int, findings: [Finding]) {
        var search = Search(vocabulary, seed: setup.seed, limit: max(0, setup.runs), stopsAtFirst: false)
        while true {
            if limits() { search.end() }
            let batch = search.batch()
            guard !batch.isEmpty else { break }
            search.take(try outcomes(of: batch))
            progress(search.runs, search.findings.map(\.broken.rule))
        }
        return (search.runs, try search.findings.map(finding))
    }

    private var vocabulary: Vocabulary {
        Vocabulary(
            buttons: [.play, .pause] + (setup.items.count > 1 ? [.next] : []),
            seeks: true,
            hasOwnNetwork: setup.network == nil,
            lengths: [max(1, setup.length ?? 60)],
            surroundings: Vocabulary.allSurroundings.filter { act in
                switch act {
                case .warnOfMemory, .lowPower: false
                default: true
                }
            }
        )
    }

    /// What came of a batch, on as many threads as there are processors.
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
        let broken = WishJudge.broken(in: log, wishes: wishes, refills: false, until: end)
        return Outcome(
            broken: broken.map { .init(rule: $0.rule.rawValue, message: $0.message, at: $0.at - .zero) },
            footprint: Footprint(log)
        )
    }

    private func play(_ trial: Trial) throws -> (log: EventLog, wishes: [Wish?], end: Instant) {
        let script = TrialScenario(trial, network: setup.network?.name)
        let scenario = try Scenario(HarnessFile.fields(of: script.text, file: "a trial"), in: setup.harness)
        let run = ScenarioRun(
            ScenarioRun.Setup(
                scenario: scenario,
                items: setup.items,
                platform: setup.platform,
                app: setup.app,
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
            picture: StoryPicture.svg(RunStory(log: log), title: found.broken.message, about: [explanation])
        )
    }
}
