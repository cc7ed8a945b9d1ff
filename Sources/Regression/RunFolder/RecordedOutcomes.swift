internal import Story

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
        // The parts of one file's cases are few, and lie one behind the other.
        let parts = folders.compactMap { folder in folder.results.firstCase(ofFile: file).map { ($0, folder.results) } }
        for (_, results) in parts.sorted(by: { $0.0 < $1.0 }) { try results.each(ofFile: file) { try body($1) } }
    }

    /// What happened in a case, from its event log; nil where no log of it was kept.
    func story(of outcome: CaseOutcome) -> RunStory? {
        for folder in folders {
            if let story = CaseLogFile(outcome.result.name, in: folder.logs).story { return story }
        }
        return nil
    }
}
