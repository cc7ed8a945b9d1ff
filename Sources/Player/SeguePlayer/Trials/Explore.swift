internal import SegueBase
internal import SegueData
internal import SegueEvents
internal import SegueNetworkModel
internal import SeguePlayerModel
internal import SegueSearch

/// Searches for a run in which an app breaks a rule, and makes the first that is found as small as it can be.
///
/// The runs differ in what the user and the device do and when, in the network, in how long the server takes, in how long a
/// title is, in what goes wrong with requests, and in the order of what comes at one instant. The rules are those of
/// ``World/broken`` and the app's own promises, ``User/expects(_:within:_:)``. The same seed searches the same way.
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
///   - network: The network; nil has the search choose it.
///   - server: The server; nil has titles made up, whose length the search chooses.
///   - app: What the platform has to know of the app.
///   - runs: In how many runs a broken rule is looked for, from 0; what shrinking takes comes on top.
///   - limit: How long it may take in real time; nil for as long as the runs take. What is found then hangs on the machine's
///     speed.
///   - seed: Which way it goes.
///   - stopsAtFirst: Whether it ends with the first rule that it finds broken.
///   - start: Makes the app in a world, says what its user can do, and returns what is to be kept while the run goes on.
/// - Returns: What was found.
/// - Throws: What `start` throws, and what ``withWorld(platform:network:server:app:think:seed:limit:patience:_:)`` throws.
@MainActor public func explore<Kept>(
    platform: String = "ios-15",
    network: Network? = nil,
    server: Server? = nil,
    app: App = App(),
    runs: Int = 1000,
    limit: Duration? = nil,
    seed: UInt64 = 1,
    stopsAtFirst: Bool = true,
    _ start: @escaping @MainActor (World) throws -> Kept
) async throws -> ExploreResult {
    let stage = TrialStage(platform: platform, network: network, server: server, app: app) { try start($0) }
    var search = Search(
        try await stage.vocabulary(),
        seed: seed,
        limit: max(0, runs),
        stopsAtFirst: stopsAtFirst
    )
    let clock = ContinuousClock(), began = clock.now
    while true {
        if let limit, clock.now - began >= limit { search.end() }
        let batch = search.batch()
        guard !batch.isEmpty else { break }
        var outcomes: [Outcome] = []
        for trial in batch { outcomes.append(try await stage.run(trial).outcome) }
        search.take(outcomes)
    }
    var findings: [ExploreResult.Finding] = []
    for found in search.findings { findings.append(try await stage.finding(found)) }
    return ExploreResult(runs: search.runs, findings: findings)
}

/// What a search found.
public struct ExploreResult: Sendable, CustomStringConvertible {
    /// A rule that an app broke.
    public struct Finding: Sendable, CustomStringConvertible {
        /// The rule's name.
        public let rule: String
        /// What was found, in one line.
        public let message: String
        /// What was found, the number that it hangs on, and where the runs on both sides of that part.
        public let explanation: String
        /// How many steps are needed.
        public let steps: Int
        /// In how many runs nothing was found before it.
        public let runs: Int
        /// A test that shows it, in Swift; `start(world)` stands for what the search was given.
        public let test: String
        /// The picture of it, an SVG.
        public let picture: String

        /// What was found, and the test.
        public var description: String { "\(rule): \(explanation)\n\n\(test)" }
    }

    /// In how many runs a broken rule was looked for.
    public let runs: Int
    /// What was found, each rule once, in the order in which it was.
    public let findings: [Finding]

    /// What was found, or that nothing was.
    public var description: String {
        findings.isEmpty
            ? "nothing was found in \(runs) runs" : findings.map(\.description).joined(separator: "\n\n")
    }
}
