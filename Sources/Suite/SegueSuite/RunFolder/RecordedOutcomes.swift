internal import SegueBase
internal import SegueCharts
internal import SegueComparison

/// The outcomes in the folders of a run or of its parts, in the order of the matrix.
struct RecordedOutcomes {
    private(set) var tally = SuiteTally()
    private let folders: [RunFolder]

    /// Reads the results of one run, or of parts of one suite with disjoint cases.
    ///
    /// - Throws: ``RunFolderError``.
    init(_ folders: [RunFolder]) throws {
        self.folders = folders
        // Totals are summed per file first, as in a run without a folder: floating-point sums depend on the order.
        for file in files {
            var cases = SuiteTally()
            try each(ofFile: file) { cases.add($0) }
            tally.add(cases)
        }
    }

    private var files: Range<Int> { folders.first?.results.table.files.indices ?? 0..<0 }

    /// Calls a function with each outcome.
    ///
    /// - Throws: An error of the function, or ``RunFolderError``.
    func each(_ body: (CaseOutcome) throws -> Void) throws {
        for file in files { try each(ofFile: file, body) }
    }

    private func each(ofFile file: Int, _ body: (CaseOutcome) throws -> Void) throws {
        let parts = folders.map(\.results).filter { $0.firstCase(ofFile: file) != nil }
        guard parts.count > 1 else {
            try parts.first?.each(ofFile: file) { try body($1) }
            return
        }
        var outcomes: [Int: CaseOutcome] = [:]
        for results in parts { try results.each(ofFile: file) { outcomes[$0] = outcomes[$0] ?? $1 } }
        // The crash of a worker fails the whole file, in whichever part it occurred.
        let end = outcomes.sorted { $0.key < $1.key }.lazy.compactMap(\.value.result.failureOfWorker).first
        for place in outcomes.keys.sorted() {
            guard var outcome = outcomes[place] else { continue }
            if let end {
                outcome = CaseOutcome(CaseResult(name: outcome.result.name, verdict: .fail, findings: [end]))
            }
            try body(outcome)
        }
    }

    /// The timeline of a case from its event log; nil without a log.
    func story(of outcome: CaseOutcome) -> RunTimeline? {
        for folder in folders {
            let log = CaseLogFile(outcome.result.name, in: folder.logs)
            if let story = log.story(outcome.result.findings) { return story }
        }
        return nil
    }
}

extension CaseResult {
    /// The crash that this case failed with; nil for other cases.
    fileprivate var failureOfWorker: Finding? {
        let ends: [Finding.Own] = [.crash, .hang, .memory]
        guard verdict == .fail, findings.count == 1, let finding = findings.first else { return nil }
        return ends.contains { $0.rawValue == finding.rule } ? finding : nil
    }
}
