package import SegueComparison

extension FindingCauses {
    /// Adds a case.
    ///
    /// - Returns: The index of its cause in ``causes``; nil without findings.
    @discardableResult
    package mutating func add(_ result: CaseResult) -> Int? {
        // Remarks decide nothing where something else was found.
        let counted = result.findings.filter { $0.requirement?.isCounted != false }
        let findings = counted.filter { !$0.isRemark } + counted.filter(\.isRemark)
        return add(result.name, result.verdict, findings: findings.map { ($0.recorded, $0.known) })
    }
}
