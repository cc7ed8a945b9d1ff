import Foundation
import SegueBase
import SegueSearch

/// The result of a search, as text and JSON.
struct ExploreReport: Encodable {
    /// A rule that the app broke.
    struct Finding: Encodable {
        let rule: String
        let message: String
        /// The number of steps of the scenario.
        let steps: Int
        /// The path of the scenario.
        let scenario: String
        /// The seed for replaying the scenario.
        let seed: UInt64
        let explanation: String
        /// The path of the app policy with the declaration that breaks the rule; nil if the app breaks it as it is.
        let app: String?
    }

    /// A rule that was not reported.
    struct Waiver: Encodable {
        let rule: String
        let reason: String
        /// The number of runs that broke it.
        let runs: Int
        /// The message of the first one; nil if the rule was not broken.
        let message: String?

        init(_ waiver: RuleWaiver, _ waived: Waived) {
            (rule, reason) = (waiver.rule, waiver.reason)
            (runs, message) = (waived.runs, waived.message)
        }

        fileprivate var text: String {
            let found = message.map { "broken in \(runs) runs: \($0)" } ?? "not broken, so the waiver can be removed"
            return "waived: \(rule) (\(reason)), \(found)\n"
        }
    }

    /// The number of runs.
    let runs: Int
    /// The duration in real time.
    let seconds: Double
    let findings: [Finding]
    let waived: [Waiver]

    /// The report as text.
    func text(of command: ExploreCommand) -> String {
        let time = DecimalText.short(seconds, places: 1)
        let waivers = waived.map(\.text).joined()
        guard !findings.isEmpty else { return "\(waivers)no broken rules in \(runs) runs, \(time) s\n" }
        let found = findings.map { finding in
            """
            \(finding.rule): \(finding.explanation)
              \(finding.steps) steps in \(finding.scenario), with a timeline beside it; replay it with
              segue play \(command.urls.joined(separator: " ")) --virtual --platform \(command.platform) \
            --app \(finding.app ?? command.app)\(command.network.map { " --network \($0)" } ?? "") \
            --scenario \(finding.scenario) --seed \(finding.seed)

            """
        }
        return found.joined() + waivers
            + "\(findings.count) broken rule\(findings.count == 1 ? "" : "s") in \(runs) runs, \(time) s\n"
    }
}
