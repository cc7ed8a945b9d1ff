internal import SegueCharts

/// What came of cases as the folders of a run, or of the parts of one, have it, in the order of the matrix.
struct RecordedOutcomes {
    /// The cases in figures.
    private(set) var tally = SuiteTally()
    private let folders: [RunFolder]

    /// Reads the results of one run, or of parts of one suite that have no case in common.
    ///
    /// - Throws: ``RunFolderError`` where they cannot be read.
    init(_ folders: [RunFolder]) throws {
        self.folders = folders
        // A file's cases are added up first, as they are where each file's were kept together: a sum of fractions
        // depends on the order.
        for file in files {
            var cases = SuiteTally()
            try each(ofFile: file) { cases.add($0) }
            tally.add(cases)
        }
    }

    private var files: Range<Int> { folders.first?.results.table.files.indices ?? 0..<0 }

    /// Calls a function with each outcome.
    ///
    /// - Throws: What the function throws, or ``RunFolderError`` where a file cannot be read.
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
        // A worker that comes to no good end is the whole file's failure, in whichever part it was.
        let end = outcomes.sorted { $0.key < $1.key }.lazy.compactMap(\.value.result.failureOfWorker).first
        for place in outcomes.keys.sorted() {
            guard var outcome = outcomes[place] else { continue }
            if let end {
                outcome = CaseOutcome(CaseResult(name: outcome.result.name, verdict: .fail, findings: [end]))
            }
            try body(outcome)
        }
    }

    /// What happened in a case, from its event log; nil where no log of it was kept.
    func story(of outcome: CaseOutcome) -> RunStory? {
        for folder in folders {
            let log = CaseLogFile(outcome.result.name, in: folder.logs)
            if let story = log.story(outcome.result.findings) { return story }
        }
        return nil
    }
}

extension CaseResult {
    /// Why the worker came to no good end that this case failed with; nil for all other cases.
    fileprivate var failureOfWorker: Finding? {
        let ends: [Finding.Own] = [.crash, .hang, .memory]
        guard verdict == .fail, findings.count == 1, let finding = findings.first else { return nil }
        return ends.contains { $0.rawValue == finding.rule } ? finding : nil
    }
}
