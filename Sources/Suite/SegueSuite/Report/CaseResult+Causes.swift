package import SegueComparison

extension FindingCauses {
    /// Adds a case.
    ///
    /// - Returns: The place of its cause in ``causes``; nil where nothing was found.
    @discardableResult
    package mutating func add(_ result: CaseResult) -> Int? {
        // A remark decided nothing where something else was found.
        let findings = result.findings.filter { !$0.isRemark } + result.findings.filter(\.isRemark)
        return add(
            RecordedCase.Name(result.name),
            RecordedCase.Verdict(result.verdict),
            findings.map { ($0.recorded, $0.known) }
        )
    }
}
