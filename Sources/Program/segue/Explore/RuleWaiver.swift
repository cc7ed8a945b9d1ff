import ArgumentParser
import Foundation
import SegueData
import SegueSearch

/// A rule that an app may break in a search, with the reason, given as `RULE=REASON`.
struct RuleWaiver {
    let rule: String
    let reason: String

    /// - Throws: `ValidationError` for an unknown rule, or without a reason.
    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("--waive needs a rule and a reason: --waive task='the app cannot end it'")
        }
        let rules = BrokenRule.Rule.allCases.map(\.rawValue)
        guard rules.contains(parts[0]) else { throw ValidationError("--waive \(UnknownName(parts[0], among: rules))") }
        (rule, reason) = (parts[0], parts[1])
    }
}
