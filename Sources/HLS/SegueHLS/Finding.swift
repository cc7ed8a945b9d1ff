internal import SegueConformance

/// A rule that is broken, and where: one finding for each cause, at however many places it shows.
///
/// Its description is what a failed `#expect(playlist.findings.isEmpty)` prints: all that is needed to mend it.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// Where a rule is broken.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The URL of the playlist, or of the resource itself.
        public let url: String

        /// The line of the playlist, from 1; nil where no line is at fault.
        public let line: Int?

        /// The segment's number in its playlist, from 0, or of a live one its media sequence number; nil where no segment
        /// is at fault.
        public let segment: Int?

        /// The URL with the line and the segment.
        public let description: String

        init(_ place: SegueConformance.Place) {
            (url, line, segment, description) = (place.url, place.line, place.segment, place.description)
        }
    }

    /// The rule's name, as `docs/validate.md` of the repository lists them, such as `target-holds`.
    public let rule: String

    /// How bad it is, by the texts that count.
    public let severity: Severity

    /// What is demanded, in one sentence without a full stop.
    public let demand: String

    /// Where that is written, in words, such as `RFC 8216 4.3.3.1, MUST`; one for each text.
    public let clauses: [String]

    /// What was found at the first place.
    public let message: String

    /// Where, in the order in which it was found; at least one.
    public let places: [Place]

    /// When it was seen first, since the watch began; nil where nothing was watched.
    public let time: Duration?

    /// How many further places a description names.
    private static let shownPlaces = 3

    private init(_ group: FindingGroup, at time: Duration?) {
        (rule, severity, demand) = (group.rule.id, group.severity, group.rule.demand)
        clauses = group.rule.clauses.map(\.words)
        (message, places, self.time) = (group.message, group.places.map(Place.init), time)
    }

    /// What counts, by cause; of live streams, with when each was seen.
    static func all(_ broken: [(rule: BrokenRule, time: Duration?)], in profile: Profile) -> [Finding] {
        var times: [BrokenRule: Duration] = [:]
        for (rule, time) in broken where times[rule] == nil { times[rule] = time }
        return FindingGroup.groups(broken.map(\.rule), in: profile).filter { $0.severity > .advice }.map { group in
            let first = BrokenRule(rule: group.rule, place: group.places[0], message: group.message)
            return Finding(group, at: times[first])
        }
    }

    /// The rule, what was found where, and what is demanded by which text.
    public var description: String {
        var place = "\(places[0])"
        let more = places.dropFirst()
        if !more.isEmpty {
            let rest = more.count - Self.shownPlaces
            place +=
                " (so at \(more.count) more: "
                + more.prefix(Self.shownPlaces).map(\.description).joined(separator: "; ")
            place += (rest > 0 ? "; and \(rest) further" : "") + ")"
        }
        let moment = time.map { "; at \($0)" } ?? ""
        return "\(rule): \(message); \(place)\(moment); \(demand): \(clauses.joined(separator: "; "))"
    }
}
