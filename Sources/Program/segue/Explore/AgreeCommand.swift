import ArgumentParser
import Foundation
import SegueBase
import SegueData
import SegueNetworkModel
import SeguePlayerModel
import SegueProxy
import SegueSuite

/// Compares runs in virtual time with the same runs in real time, through a server and a link.
struct AgreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agree",
        abstract: "Plays URLs in virtual time and in real time, and reports the differences.",
        shouldDisplay: false
    )

    @Argument(help: ArgumentHelp("Playlists on servers over plain HTTP.", valueName: "url"))
    var urls: [String]

    @Option(.networks) var network = NameList("wifi", "3g", "4g")

    @Option(.scenario) var scenario = "agreement"

    @Option(.app) var app = "switch-when-ready"

    @Option(help: "The number of cases that run in parallel in real time.")
    var jobs = 6

    @Option(.eventLogs) var log: String?

    func validate() throws { try JobCount.check(jobs) }

    func run() async throws {
        let trial: AgreementTrial
        do {
            let harness = try ProgramData.harness()
            let scenario = try Scenario(fileAt: harness.file(scenario, of: .scenarios), in: harness)
            guard !scenario.changesNetwork else {
                throw CommandFailure(self.scenario, "the scenario changes the network, which requires virtual time")
            }
            let platform = try harness.file(scenario.platform(or: nil), of: .platforms)
            trial = AgreementTrial(
                scenario: scenario,
                platform: try PlatformProfile(contentsOfFile: platform, in: harness),
                app: try AppProfile(contentsOfFile: harness.file(app, of: .apps), in: harness),
                networks: try network.names.map { try LinkProfile.named($0, in: harness) },
                proxy: try LinkProxy()
            )
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(error)
        }
        if let log { try OutputFolder.make(log) }
        var outcomes: [AgreementOutcome] = []
        try await trial.run(urls, jobs: jobs) { result in
            outcomes.append(result.outcome)
            try tell(result)
        }
        StandardOutput.write(AgreementOutcome.summary(of: outcomes) + "\n")
        if outcomes.contains(where: { !$0.isGood }) { throw ExitCode(1) }
    }

    /// Reports the result of a case, and writes its logs.
    private func tell(_ result: AgreementTrial.Result) throws {
        StandardOutput.write(result.outcome.text)
        guard let log else { return }
        let item = result.outcome.item
        for (name, text) in [("virtual", result.virtual), ("real", result.real)] {
            let path = "\(log)/\(item.number).\(item.network).\(name).jsonl"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}

extension NameList {
    fileprivate init(_ names: String...) { self.names = names }
}
