/// What a text says of a demand, in its own word.
public enum Severity: String, Sendable, Encodable, CaseIterable, Comparable {
    /// Advice of this project, which no text demands: it is told, and never counts.
    case advice
    /// SHOULD, SHOULD NOT, RECOMMENDED (RFC 2119): players cope, some of them worse.
    case should = "should fix"
    /// MUST, MUST NOT, REQUIRED (RFC 2119): players may fail on it.
    case must = "must fix"

    /// The severities in the order in which they are told, the gravest first.
    package static let told: [Severity] = [.must, .should, .advice]

    private var weight: Int {
        switch self {
        case .advice: 0
        case .should: 1
        case .must: 2
        }
    }

    /// Whether one is less grave than another.
    ///
    /// - Parameters:
    ///   - one: One.
    ///   - other: The other.
    /// - Returns: Whether it is.
    public static func < (one: Severity, other: Severity) -> Bool { one.weight < other.weight }
}
