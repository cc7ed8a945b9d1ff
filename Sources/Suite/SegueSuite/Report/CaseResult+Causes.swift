package import SegueComparison

extension FindingCauses {
    /// Adds a case.
    ///
    /// - Returns: The index of its cause in ``causes``; nil without findings.
    @discardableResult
    package mutating func add(_ result: CaseResult) -> Int? {
        // Remarks decide nothing where something else was found.
        let findings = result.findings.filter { !$0.isRemark } + result.findings.filter(\.isRemark)
        return add(result.name, result.verdict, findings: findings.map { ($0.recorded, $0.known) })
    }
}
