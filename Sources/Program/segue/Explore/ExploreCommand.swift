import ArgumentParser
import Foundation
import SegueCurl
import SegueData
import SegueEvents
import SegueFetch
import SegueNetworkModel
import SeguePlayerModel
import SegueSearch
import SegueSuite

/// Searches for runs in which an app policy breaks a rule.
struct ExploreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Searches for a run in which an app breaks a rule, and reduces it to the shortest scenario.",
        discussion: """
            The runs vary the actions of the user and the device and their times, the network, the response times of \
            the server, and request faults. The rules hold for every app: it plays what the user wants to hear, and \
            nothing else; docs/own-player.md lists them all. For each broken rule, a scenario for segue play and a \
            timeline are written. --waive accepts the violations of a rule, with the reason.

            Example, which finds why background audio failed on 3G:
              segue testmedia media
              segue explore media/mp4/h264-aac-long.mp4 --app switch-if-was-playing --platform ios-4.3

            Exit codes: 0 no rule was broken; 1 a rule was broken; 2 it could not run.
            """
    )

    @Argument(
        help: ArgumentHelp("Local files or playlist URLs, in the order of the queue.", valueName: "file|url"),
        completion: .file()
    )
    var urls: [String]

    @Option(.app) var app = "switch-when-ready"

    @Option(.platform) var platform = "ios-4.3"

    @Flag(help: "Also tries the app with one declaration missing or wrong: its background mode or audio session.")
    var declarations = false

    @Option(.network.defaulting(to: "the search chooses")) var network: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("The maximum duration of the search.", valueName: "seconds"))
    var seconds: Double?

    @Option(
        help: ArgumentHelp("The maximum number of runs, not counting those that reduce a scenario.", valueName: "count")
    )
    var runs = 2000

    @Option(.seed) var seed = 1

    @Option(help: ArgumentHelp("The folder for scenarios and timelines; created if missing.", valueName: "folder"))
    var out = "."

    @Option(
        help: ArgumentHelp("A rule that may be broken, and the reason; repeatable.", valueName: "rule=reason"),
        transform: RuleWaiver.init
    )
    var waive: [RuleWaiver] = []

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 1e6) {
            throw ValidationError("--for must be above 0 and at most 1000000 seconds")
        }
        guard (1...100_000_000).contains(runs) else { throw ValidationError("--runs must be from 1 to 100000000") }
    }

    func run() async throws {
        do {
            let items = try await PlayItems(urls, background: [], isVirtual: true)
            let result = Result { try search(items) }
            await items.end()
            if try result.get() { throw ExitCode(1) }
        } catch let error as ExitCode {
            throw error
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Runs the search and prints the report; returns whether a rule was broken.
    private func search(_ items: PlayItems) throws -> Bool {
        let harness = try ProgramData.harness(), output = try json.map(OutputFile.init)
        do {
            // A bad path must fail before the search.
            try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(out, "cannot create the folder: \(error.localizedDescription)")
        }
        let server = SearchResponseCache(try BlockingFetcher(credentials: [:]))
        let answer: PolicySearch.Responder = { items.answer($0, else: server) }
        var setup = PolicySearch.Setup(
            items: items.addresses,
            platform: try PlatformProfile(contentsOfFile: harness.file(platform, of: .platforms), in: harness),
            app: try AppProfile(contentsOfFile: harness.file(app, of: .apps), in: harness),
            harness: harness,
            runs: runs,
            seed: UInt64(bitPattern: Int64(seed))
        )
        setup.waived = Set(waive.map(\.rule))
        if declarations { setup.variations = DeclarationVariation.all(of: setup.app.declarations) }
        setup.length = try items.addresses.first.flatMap { try length(of: $0, harness, answer) }
        setup.network = try network.map { name in
            let path = try harness.file(name, of: .networks)
            return (path, try LinkProfile(contentsOfFile: path))
        }
        let clock = ContinuousClock(), began = clock.now
        let limit = seconds.map { Duration.seconds($0) }
        let search = PolicySearch(setup, respond: answer) { limit.map { clock.now - began >= $0 } ?? false }
        var told = clock.now
        let (runs, findings, waived) = try search.run { runs, rules in
            guard !quiet, clock.now - told >= .seconds(2) else { return }
            told = clock.now
            let found = rules.isEmpty ? "no broken rules" : rules.joined(separator: ", ")
            StandardError.write("segue: explore: \(runs) of \(self.runs) runs, \(found)\n")
        }
        let taken = (clock.now - began) / .seconds(1)
        let report = ExploreReport(
            runs: runs,
            seconds: taken,
            findings: try findings.map(write),
            waived: waive.map { ExploreReport.Waiver($0, waived[$0.rule] ?? Waived()) }
        )
        if !quiet || !findings.isEmpty { StandardOutput.write(report.text(of: self)) }
        try output?.write(JSONEncoder.readable.encode(report) + Data("\n".utf8))
        return !findings.isEmpty
    }

    /// The duration of an item in whole seconds; nil if unknown.
    private func length(
        of item: ItemAddress,
        _ harness: HarnessFolder,
        _ answer: @escaping PolicySearch.Responder
    ) throws -> Int? {
        let text =
            "{ name: length, about: length, steps: [{ do: open }, { do: play }, { when: { duration: \"> 0\" }, within: 30 }] }"
        let setup = ScenarioRun.Setup(
            scenario: try Scenario(HarnessFile.fields(of: text, file: "length")),
            items: [item],
            platform: try PlatformProfile(contentsOfFile: harness.file(platform, of: .platforms), in: harness),
            app: nil,
            seed: 1
        )
        let run = ScenarioRun(
            setup,
            network: try LinkProfile(contentsOfFile: harness.file("lan", of: .networks)),
            respond: answer
        )
        _ = run.run()
        for case .itemReadyToPlay(_, let seconds) in run.log.events.map(\.kind) where seconds.isFinite {
            return Int(min(max(1, seconds), 1e6))
        }
        return nil
    }

    private func write(_ finding: PolicySearch.Finding) throws -> ExploreReport.Finding {
        let file = "\(out)/explore-\(finding.rule)"
        try OutputFile(file + ".yaml").write(Data(finding.scenario.utf8))
        try OutputFile(file + ".svg").write(Data((finding.picture + "\n").utf8))
        var changed: String?
        if let variation = finding.variation {
            let text = """
                # The app \(app) with one change.
                name: explored-\(variation.name)
                title: Explored
                based-on: \(app)

                \(variation.line)

                """
            changed = file + "-app.yaml"
            try OutputFile(file + "-app.yaml").write(Data(text.utf8))
        }
        return ExploreReport.Finding(
            rule: finding.rule,
            message: finding.message,
            steps: finding.steps,
            scenario: file + ".yaml",
            seed: finding.seed,
            explanation: finding.explanation,
            app: changed
        )
    }
}
