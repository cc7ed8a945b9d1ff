/// Groups the findings of a run into causes, a case after the other.
///
/// A case belongs to one cause: the first of its findings that decided its verdict. What follows is mostly the
/// consequence.
package struct FindingCauses: Sendable {
    /// How many causes of a verdict and rule are told apart; what comes then goes into one without a shape.
    static let most = 200

    /// The causes in the order in which they came first.
    package private(set) var causes: [FindingCause] = []
    private var places: [Key: Int] = [:]
    private var counts: [Key: Int] = [:]

    private struct Key: Hashable {
        let verdict: RecordedCase.Verdict
        let text: String
    }

    /// No cases.
    package init() {}

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - findings: What was found, with the known issue that covers it; none of a case that passed but for remarks.
    /// - Returns: The place of its cause in ``causes``; nil where nothing was found.
    @discardableResult
    package mutating func add(
        _ name: RecordedCase.Name,
        _ verdict: RecordedCase.Verdict,
        _ findings: [(finding: RecordedCase.Finding, issue: String?)]
    ) -> Int? {
        // What is a known issue decided nothing where something else was found.
        let decisive = findings.firstIndex { verdict == .known || $0.issue == nil } ?? findings.indices.first
        guard let decisive else { return nil }
        let (finding, issue) = findings[decisive]
        let shape = FindingShape(finding)
        let (place, isOwn) = place(name, verdict, finding.rule, shape)
        let others = findings.indices.filter { $0 != decisive }.map { findings[$0].finding.rule }
        causes[place].add(name, isOwn ? shape : nil, issue: issue, also: others)
        return place
    }

    private mutating func place(
        _ name: RecordedCase.Name,
        _ verdict: RecordedCase.Verdict,
        _ rule: String,
        _ shape: FindingShape
    ) -> (place: Int, isOwn: Bool) {
        if let place = places[Key(verdict: verdict, text: shape.key)] { return (place, true) }
        let count = counts[Key(verdict: verdict, text: rule), default: 0]
        let isOwn = count < Self.most
        // No shape is as short as a rule's name alone.
        let key = Key(verdict: verdict, text: isOwn ? shape.key : rule)
        if let place = places[key] { return (place, isOwn) }
        counts[Key(verdict: verdict, text: rule)] = count + 1
        places[key] = causes.count
        causes.append(FindingCause(verdict, rule: rule, isOwn ? shape : nil, example: name))
        return (causes.count - 1, isOwn)
    }

    /// The places of the causes as a person looks at them: failures first, then what could not be run, known issues, what
    /// was skipped, and remarks; of each, those of most cases.
    package var order: [Int] {
        func rank(_ cause: FindingCause) -> Int {
            switch cause.verdict {
            case .fail: 0
            case .broken: 1
            case .known: 2
            case .skip: 3
            case .pass: 4
            }
        }
        return causes.indices.sorted { one, other in
            let (left, right) = (causes[one], causes[other])
            return (rank(left), -left.cases, one) < (rank(right), -right.cases, other)
        }
    }

    /// The causes in that order.
    package var ordered: [FindingCause] { order.map { causes[$0] } }
}
