package import SegueBase

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
        case atMost(Double)
        case atLeast(Double)
        case equal(Double)
        /// Within a tolerance in percent.
        case within(Double, percent: Int)

        fileprivate var value: Double {
            switch self {
            case .atMost(let value), .atLeast(let value), .equal(let value), .within(let value, _): value
            }
        }
    }

    package let measured: Double
    package let unit: Unit
    private let subject: Message
    private let bound: Bound
    private let origin: Message

    /// A comparison.
    ///
    /// - Parameters:
    ///   - subject: The start of the sentence with its verb, such as `the segment measures`.
    ///   - bound: The expected value and its relation to the measured one.
    ///   - unit: The unit of both values.
    ///   - origin: The source of the expected value as a phrase, such as `by #EXTINF`; empty if the rule itself sets
    ///     it.
    init(
        _ subject: Message,
        _ measured: Double,
        expected bound: Bound,
        unit: Unit,
        origin: Message = ""
    ) {
        (self.subject, self.measured, self.bound) = (subject, measured, bound)
        (self.unit, self.origin) = (unit, origin)
    }

    package var expected: Double { bound.value }

    /// Both values in one sentence without a full stop, such as `the segment measures 6.5 s, expected at most 6 s`.
    package var message: Message {
        let (found, wanted) = DisplayText.distinct(measured, expected, in: unit)
        let phrase: Message =
            switch bound {
            case .atMost: "at most \(wanted)"
            case .atLeast: "at least \(wanted)"
            case .equal: wanted
            case .within(_, let percent): "\(wanted) ± \(percent) %"
            }
        return "\(subject) \(found), expected \(phrase)" + (origin.isEmpty ? "" : " \(origin)")
    }
}
