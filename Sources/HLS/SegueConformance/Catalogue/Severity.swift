/// The severity of a broken rule, by the word of the text that requires it.
public enum Severity: String, Sendable, Encodable, CaseIterable, Comparable {
    /// Advice of this project that no text requires. Reports list it; it never fails a check.
    case advice
    /// SHOULD, SHOULD NOT, RECOMMENDED (RFC 2119): players cope, some of them worse.
    case should = "should fix"
    /// MUST, MUST NOT, REQUIRED (RFC 2119): players may fail.
    case must = "must fix"

    /// The severities in the order of reports, the most severe first.
    package static let reportOrder: [Severity] = [.must, .should, .advice]

    private var weight: Int {
        switch self {
        case .advice: 0
        case .should: 1
        case .must: 2
        }
    }

    /// Returns true if the first severity is less severe than the second.
    public static func < (one: Severity, other: Severity) -> Bool { one.weight < other.weight }
}
