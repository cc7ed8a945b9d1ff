internal import SegueBase
internal import SegueConformance

/// A broken rule and its places: one finding for each cause.
///
/// The description is the output of a failed `#expect(playlist.findings.isEmpty)`. It states the rule, the place, the
/// compared values, the requirement, and the fix.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The place of a finding.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The URL of the playlist, or of the resource itself.
        public let url: String

        /// The line of the playlist, from 1; nil if the finding concerns no line.
        public let line: Int?

        /// The index of the segment in its playlist, from 0; for live streams, its media sequence number.
        public let segment: Int?

        /// The URL with the line and the segment.
        public let description: String

        init(_ place: SegueConformance.Place) {
            (url, line, segment, description) = (place.url, place.line, place.segment, place.description)
        }
    }

    /// The compared values of a finding.
    public struct Values: Sendable, Hashable {
        /// The measured value.
        public let measured: Double

        /// The expected value, or the limit.
        public let expected: Double

        /// The unit of both values, such as `s`, `bit/s`, or `bytes`.
        public let unit: String
    }

    /// The name of the rule, such as `target-holds`; `docs/validate.md` in the repository lists all rules.
    public let rule: String

    /// The severity by the texts that count.
    public let severity: Severity

    /// The requirement in one sentence without a full stop.
    public let demand: String

    /// The usual remedy, as an imperative without a full stop.
    public let fix: String

    /// The clauses that require it, such as `RFC 8216 4.3.3.1, MUST`; one for each text.
    public let clauses: [String]

    /// The violation at the first place.
    public let message: String

    /// The values at the first place; nil if the rule compares no numbers.
    public let values: Values?

    /// The places in the order of discovery; at least one.
    public let places: [Place]

    /// The time of the first occurrence since the start of a watch; nil without a watch.
    public let time: Duration?

    private let morePlaces: String?

    private init(_ group: FindingGroup, at time: Duration?) {
        (rule, severity, demand) = (group.rule.id, group.severity, group.rule.requirement)
        (fix, clauses) = (group.rule.fix, group.rule.clauses.map(\.words))
        (message, places, self.time) = (group.message.text, group.places.map(Place.init), time)
        values = group.first.comparison.map {
            Values(measured: $0.measured, expected: $0.expected, unit: $0.unit.rawValue)
        }
        morePlaces = group.morePlaces
    }

    /// The findings that count, grouped by cause, with the time of their first occurrence.
    static func all(_ broken: [(rule: BrokenRule, time: Duration?)], in profile: Profile) -> [Finding] {
        var times: [BrokenRule: Duration] = [:]
        for (rule, time) in broken where times[rule] == nil { times[rule] = time }
        return FindingGroup.groups(broken.map(\.rule), in: profile).filter { $0.severity > .advice }.map { group in
            Finding(group, at: times[group.first])
        }
    }

    /// The rule, the violation, its places, the requirement, and the fix.
    public var description: String {
        let more = morePlaces.map { " (\($0))" } ?? ""
        let moment = time.map { "; at \($0)" } ?? ""
        return "\(rule): \(message); \(places[0])\(more)\(moment); \(demand): \(clauses.joined(separator: "; ")); "
            + "fix: \(fix)"
    }
}
