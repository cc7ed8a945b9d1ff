/// A measured value and the value that a rule expects.
///
/// Its message is the only text of a finding that compares numbers.
package struct Comparison: Sendable, Hashable {
    /// The unit of both values.
    package enum Unit: String, Sendable, Encodable {
        case seconds = "s"
        case bitsPerSecond = "bit/s"
        case bytes
        case framesPerSecond = "fps"
        case hertz = "Hz"
        case loudness = "LUFS"
        case channels
        case segments
        case digits
        case packets
    }

    /// The relation that the rule requires between the measured and the expected value.
    package enum Bound: Sendable, Hashable {
        case atMost, atLeast, equal
        /// Within a tolerance in percent.
        case within(percent: Int)
    }

    package let measured: Double
    package let expected: Double
    package let unit: Unit
    private let subject: String
    private let bound: Bound
    private let origin: String

    /// A comparison.
    ///
    /// - Parameters:
    ///   - subject: The start of the sentence with its verb, such as `the segment measures`.
    ///   - unit: The unit of both values.
    ///   - origin: The source of the expected value as a phrase, such as `by #EXTINF`; empty if the rule itself sets
    ///     it.
    init(
        _ subject: String,
        _ measured: Double,
        _ bound: Bound,
        _ expected: Double,
        _ unit: Unit,
        _ origin: String = ""
    ) {
        (self.subject, self.measured, self.bound) = (subject, measured, bound)
        (self.expected, self.unit, self.origin) = (expected, unit, origin)
    }

    /// Both values in one sentence without a full stop, such as `the segment measures 6.5 s, expected at most 6 s`.
    package var message: String {
        let (found, wanted) = DisplayText.distinct(measured, expected, unit)
        let phrase =
            switch bound {
            case .atMost: "at most \(wanted)"
            case .atLeast: "at least \(wanted)"
            case .equal: wanted
            case .within(let percent): "\(wanted) ± \(percent) %"
            }
        return "\(subject) \(found), expected \(phrase)" + (origin.isEmpty ? "" : " " + origin)
    }
}
