/// Groups the findings of a run into causes.
///
/// A case counts for the first finding that decided its verdict; the others are mostly consequences.
package struct FindingCauses: Sendable {
    /// The maximum number of causes per verdict and rule; the rest share an overflow cause.
    static let most = 200

    package private(set) var causes: [FindingCause] = []
    private var places: [Key: Int] = [:]
    private var counts: [Key: Int] = [:]

    private struct Key: Hashable {
        let verdict: Verdict
        let text: String
    }

    package init() {}

    /// Adds a case.
    ///
    /// `findings` are the findings, each with the known issue that covers it; a passed case has only remarks. Returns
    /// the index of its cause in ``causes``; nil without findings.
    @discardableResult
    package mutating func add(
        _ name: CaseName,
        _ verdict: Verdict,
        findings: [(finding: RecordedCase.Finding, issue: String?)]
    ) -> Int? {
        // A known issue decides the verdict only where nothing else was found.
        let decisive = findings.firstIndex { verdict == .known || $0.issue == nil } ?? findings.indices.first
        guard let decisive else { return nil }
        let (finding, issue) = findings[decisive]
        let (place, isOwn) = place(of: finding, verdict: verdict, example: name)
        let others = findings.indices.filter { $0 != decisive }.map { findings[$0].finding.rule }
        causes[place].add(name, isOwn ? finding : nil, issue: issue, also: others)
        return place
    }

    private mutating func place(
        of finding: RecordedCase.Finding,
        verdict: Verdict,
        example name: CaseName
    ) -> (place: Int, isOwn: Bool) {
        let (rule, shape) = (finding.rule, finding.shape)
        if let place = places[Key(verdict: verdict, text: shape)] { return (place, true) }
        let count = counts[Key(verdict: verdict, text: rule), default: 0]
        let isOwn = count < Self.most
        // A shape is never as short as the name of a rule.
        let key = Key(verdict: verdict, text: isOwn ? shape : rule)
        if let place = places[key] { return (place, isOwn) }
        counts[Key(verdict: verdict, text: rule)] = count + 1
        places[key] = causes.count
        causes.append(FindingCause(verdict, rule: rule, isOwn ? finding : nil, example: name))
        return (causes.count - 1, isOwn)
    }

    /// The indices of the causes in the order of a report: failures, broken cases, known issues, skipped cases, and
    /// remarks, the most frequent first in each group.
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

    package var ordered: [FindingCause] { order.map { causes[$0] } }
}
