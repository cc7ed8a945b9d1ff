internal import SegueBase
internal import SegueData
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueSearch

// Size: each parameter is an independent setting of a test, with a default value.
/// Searches for a run in which an app violates a rule, and minimizes the first one that it finds.
///
/// The runs differ in the actions of the user and the device and their times, in the network, the latency of the
/// server, the length of titles, the faults of requests, and the order of simultaneous events. The rules are those of
/// ``World/broken`` and the app's own, ``User/expects(_:within:_:)``. The same seed repeats the same search.
///
/// ```swift
/// let result = try await explore(platform: "ios-15") { world in
///     let radio = Radio(player: world.player, device: world.device)
///     world.user.can(.play) { radio.play() }
///     world.user.can(.pause) { radio.pause() }
///     return radio
/// }
/// #expect(result.findings.isEmpty, "\(result)")
/// ```
///
/// - Parameters:
///   - platform: The platform, such as `ios-15`.
///   - network: The network; nil lets the search choose it.
///   - server: The server; nil uses generated titles whose length the search chooses.
///   - app: The properties of the app that the platform uses.
///   - variesDeclarations: True if runs also try the app with one declaration missing or wrong: the background mode, or
///     the category of the audio session when the app starts.
///   - runs: The maximum number of runs before minimization.
///   - limit: The maximum real time; nil for no limit. With a limit, the result depends on the speed of the machine.
///   - seed: The seed of the search.
///   - waivers: The rules that are not reported, each with the reason.
///   - stopsAtFirst: True if the search ends with the first violation.
///   - start: Creates the app in a world, declares its controls, and returns an object to keep during the run.
/// - Returns: The violations.
/// - Throws: The errors of `start`, and those of
///   ``withWorld(platform:network:server:app:think:seed:limit:patience:_:)``.
@MainActor public func explore<Kept>(
    platform: String = "ios-15",
    network: Network? = nil,
    server: Server? = nil,
    app: App = App(),
    variesDeclarations: Bool = false,
    runs: Int = 1000,
    limit: Duration? = nil,
    seed: UInt64 = 1,
    waiving waivers: [String: String] = [:],
    stopsAtFirst: Bool = true,
    _ start: @escaping @MainActor (World) throws -> Kept
) async throws -> ExploreResult {
    let stage = TrialStage(
        platform: platform,
        network: network,
        server: server,
        app: app,
        variations: variesDeclarations ? DeclarationVariation.all(of: app.declarations) : []
    ) { try start($0) }
    var search = Search(
        try await stage.vocabulary(),
        seed: seed,
        limit: max(0, runs),
        stopsAtFirst: stopsAtFirst,
        waived: waivers.keys
    )
    let clock = ContinuousClock(), began = clock.now
    while true {
        if let limit, clock.now - began >= limit { search.end() }
        let batch = search.batch()
        guard !batch.isEmpty else { break }
        var outcomes: [Outcome] = []
        for trial in batch {
            outcomes.append(try await stage.run(trial).outcome)
            if search.stopsAtHang, outcomes.last?.hangs == true { break }
        }
        search.receive(outcomes)
    }
    var findings: [ExploreResult.Finding] = []
    for found in search.findings { findings.append(try await stage.finding(found)) }
    let waived = waivers.sorted { $0.key < $1.key }.map { rule, reason in
        ExploreResult.Waiver(rule: rule, reason: reason, search.waived[rule] ?? Waived())
    }
    return ExploreResult(runs: search.runs, findings: findings, waived: waived)
}

/// The result of a search.
public struct ExploreResult: Sendable, CustomStringConvertible {
    /// A rule that an app violated.
    public struct Finding: Sendable, CustomStringConvertible {
        /// The name of the rule.
        public let rule: String
        /// A description in one line.
        public let message: String
        /// The description, the number that it depends on, and the first difference between the runs on both sides of
        /// that limit.
        public let explanation: String
        /// The number of steps in the minimal run.
        public let steps: Int
        /// The number of runs without a violation before it.
        public let runs: Int
        /// A test that reproduces it, in Swift.
        ///
        /// `start(world)` stands for the closure of the search.
        public let test: String
        /// A chart of it, as SVG.
        public let picture: String

        /// The explanation and the test.
        public var description: String { "\(rule): \(explanation)\n\n\(test)" }
    }

    /// A rule that was not reported.
    public struct Waiver: Sendable, CustomStringConvertible {
        /// The name of the rule.
        public let rule: String
        /// The reason for not reporting it.
        public let reason: String
        /// The number of runs that violated it.
        public let runs: Int
        /// The description of the first violation; nil without one.
        public let message: String?

        init(rule: String, reason: String, _ waived: Waived) {
            (self.rule, self.reason) = (rule, reason)
            (runs, message) = (waived.runs, waived.message)
        }

        /// The rule, the reason, and the violations.
        public var description: String {
            let found = message.map { "in \(runs) runs: \($0)" } ?? "never violated, so the waiver can be removed"
            return "waived: \(rule) (\(reason)), \(found)"
        }
    }

    /// The number of runs, without minimization.
    public let runs: Int
    /// The violations, one for each rule, in order of detection.
    public let findings: [Finding]
    /// The rules that were not reported.
    public let waived: [Waiver]

    /// The violations, or a statement that there are none, and the waivers.
    public var description: String {
        let found =
            findings.isEmpty
            ? "no violations in \(runs) runs" : findings.map(\.description).joined(separator: "\n\n")
        return ([found] + waived.map(\.description)).joined(separator: "\n")
    }
}
