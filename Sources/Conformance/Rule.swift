/// How bad it is to break a rule.
package enum Severity: String, Sendable, Encodable, CaseIterable {
    /// Players may fail on it.
    case mustFix = "must fix"
    /// Players cope, some of them worse.
    case shouldFix = "should fix"
}

/// One demand on playlists, segments or their delivery.
package struct Rule: Sendable, Hashable {
    /// Its name, for reports and waivers.
    package let id: String

    /// Where it is written: `R` is RFC 8216, `B` draft-pantos-hls-rfc8216bis, `A` Apple's authoring specification;
    /// `own` is a demand of this project.
    package let clause: String

    /// How bad it is to break it.
    package let severity: Severity

    /// What is demanded, in one sentence without a full stop.
    package let demand: String

    init(_ id: String, _ clause: String, _ severity: Severity, _ demand: String) {
        (self.id, self.clause, self.severity, self.demand) = (id, clause, severity, demand)
    }
}

/// Where a rule was broken.
package struct Place: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The playlist, or the resource itself.
    package var url: String

    /// The line of the playlist, from 1; nil where no line is at fault.
    package var line: Int?

    /// The segment's number in its playlist, from 0; nil where no segment is at fault.
    package var segment: Int?

    /// A place.
    package init(url: String, line: Int? = nil, segment: Int? = nil) {
        (self.url, self.line, self.segment) = (url, line, segment)
    }

    package var description: String {
        url + (line.map { ", line \($0)" } ?? "") + (segment.map { ", segment \($0)" } ?? "")
    }
}

/// A rule that was broken, and where.
package struct BrokenRule: Sendable, Hashable {
    /// The rule.
    package let rule: Rule

    /// Where.
    package let place: Place

    /// What was found there.
    package let message: String
}

/// What a rule finds, before the rule's name is put to it.
struct Violation {
    let place: Place
    let message: String

    init(_ place: Place, _ message: String) { (self.place, self.message) = (place, message) }
}

/// A rule with what finds out whether a subject keeps it.
struct Check<Subject>: Sendable {
    let rule: Rule
    let violations: @Sendable (Subject) -> [Violation]

    init(_ rule: Rule, _ violations: @escaping @Sendable (Subject) -> [Violation]) {
        (self.rule, self.violations) = (rule, violations)
    }

    func findings(_ subject: Subject) -> [BrokenRule] {
        violations(subject).map { BrokenRule(rule: rule, place: $0.place, message: $0.message) }
    }
}
