/// One demand on playlists, segments or their delivery.
package struct Rule: Sendable, Hashable {
    /// Its name, for reports and waivers.
    package let id: String

    /// Where it is written, in each text that demands it.
    package let clauses: [Clause]

    /// What is demanded, in one sentence without a full stop.
    package let demand: String

    /// A rule.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - clauses: Where it is written, separated by commas: `R` is RFC 8216, `B` draft-pantos-hls-rfc8216bis, `A` Apple's
    ///     authoring specification, `H` RFC 9110, `M` the media's own specification, `own` advice of this project. A word
    ///     behind one, `must` or `should`, is what that text says.
    ///   - severity: What those say that have no word behind them.
    ///   - demand: What is demanded.
    init(_ id: String, _ clauses: String, _ severity: Severity, _ demand: String) {
        (self.id, self.clauses, self.demand) = (id, Clause.list(clauses, severity), demand)
    }

    /// Where it is written, in short: `R4.3.2.1, A8.1`.
    package var clause: String { clauses.map(\.description).joined(separator: ", ") }

    /// How bad it is to break it, by the texts that count; nil where none of them demands it.
    package func severity(in profile: Profile = .all) -> Severity? {
        clauses.filter { profile.includes($0.text) }.map(\.severity).max()
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

    package var description: String { url + inURL }

    /// The same for a reader who has seen another place: without the URL where that is the same.
    func description(besides other: Place) -> String {
        let inURL = self.inURL
        return url == other.url && !inURL.isEmpty ? String(inURL.dropFirst(2)) : description
    }

    private var inURL: String {
        (line.map { ", line \($0)" } ?? "") + (segment.map { ", segment \($0)" } ?? "")
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

    /// A rule that was broken.
    package init(rule: Rule, place: Place, message: String) {
        (self.rule, self.place, self.message) = (rule, place, message)
    }
}

/// What a rule finds, before the rule's name is put to it.
struct Violation {
    /// Of one rule in one subject, more are not told apart: nobody reads them, and a hostile text would make a million.
    static let most = 10_000

    let place: Place
    let message: String

    init(_ place: Place, _ message: String) { (self.place, self.message) = (place, message) }
}

extension Sequence {
    /// What is wrong with its elements, up to one more than is told.
    func violations(_ violation: (Element) -> Violation?) -> [Violation] {
        var all: [Violation] = []
        for element in self {
            guard let one = violation(element) else { continue }
            all.append(one)
            if all.count > Violation.most { break }
        }
        return all
    }
}

/// A rule with what finds out whether a subject keeps it.
struct Check<Subject>: Sendable {
    let rule: Rule
    let violations: @Sendable (Subject) -> [Violation]

    init(_ rule: Rule, _ violations: @escaping @Sendable (Subject) -> [Violation]) {
        (self.rule, self.violations) = (rule, violations)
    }

    func findings(_ subject: Subject) -> [BrokenRule] {
        let all = violations(subject)
        let told = all.prefix(Violation.most).map { BrokenRule(rule: rule, place: $0.place, message: $0.message) }
        guard all.count > told.count else { return told }
        let words = "it is so here, and further places are not told"
        return told + [BrokenRule(rule: rule, place: all[told.count].place, message: words)]
    }
}
