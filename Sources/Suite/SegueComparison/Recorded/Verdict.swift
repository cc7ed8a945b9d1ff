/// The verdict on a case.
package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// No rule is broken; there may be remarks.
    case pass
    /// At least one rule is broken.
    case fail
    /// Only rules covered by known issues are broken.
    case known
    /// The case does not apply to the file; a finding has the reason.
    case skip
    /// The case could not be run for a reason that has nothing to do with the file; a finding has the reason.
    case broken

    /// True if the case passed or has only known issues.
    package var isGood: Bool { self == .pass || self == .known }
    /// True if the case counts as a failure of the run.
    package var isBad: Bool { self == .fail || self == .broken }
}
