import Foundation
import SegueBase

/// What a search found, for people and as JSON.
struct ExploreReport: Encodable {
    /// A rule that the app broke.
    struct Finding: Encodable {
        let rule: String
        let message: String
        /// How many steps the scenario has.
        let steps: Int
        /// The scenario's file.
        let scenario: String
        /// The seed that it is to be played with.
        let seed: UInt64
        let explanation: String
    }

    /// In how many runs a broken rule was looked for.
    let runs: Int
    /// How long that took in real time.
    let seconds: Double
    let findings: [Finding]

    /// The report as it is printed.
    func text(of command: ExploreCommand) -> String {
        let time = DecimalText.short(seconds, places: 1)
        guard !findings.isEmpty else { return "nothing was found in \(runs) runs, \(time) s\n" }
        let found = findings.map { finding in
            """
            \(finding.rule): \(finding.explanation)
              \(finding.steps) steps in \(finding.scenario), a picture beside it; again:
              segue play \(command.urls.joined(separator: " ")) --virtual --platform \(command.platform) \
            --app \(command.app)\(command.network.map { " --network \($0)" } ?? "") \
            --scenario \(finding.scenario) --seed \(finding.seed)

            """
        }
        return found.joined() + "\(findings.count) found in \(runs) runs, \(time) s\n"
    }
}
