internal import Foundation
internal import SegueBase
package import SegueCharts
internal import SegueComparison
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// The outcomes of a suite's cases, in the order of the matrix.
///
/// They are stored in an unlinked file, so that a hundred thousand cases take as much memory as ten.
package struct CaseOutcomes {
    /// The totals, summed in the order of the matrix, so that the result does not depend on the order of completion.
    package var tally: SuiteTally { recorded?.tally ?? parts.reduce(into: SuiteTally()) { $0.add($1.tally) } }

    /// The outcomes in run folders; nil if all are stored here.
    private var recorded: RecordedOutcomes?
    private let file: NamelessFile
    /// The position of each file's outcomes, and their totals.
    private var parts: [(place: Range<Int64>, tally: SuiteTally)]
    private var end: Int64 = 0

    /// - Parameter files: The number of files of the suite.
    /// - Throws: ``NamelessFile/Failure``.
    package init(files: Int) throws {
        file = try NamelessFile()
        parts = Array(repeating: (0..<0, SuiteTally()), count: files)
    }

    /// The outcomes of one file's cases.
    package init(_ outcomes: [CaseOutcome]) throws {
        try self.init(files: 1)
        try keep(of: 0) { for outcome in outcomes { try $0.add(outcome) } }
    }

    /// The outcomes in run folders.
    ///
    /// - Throws: ``RunFolderError``, or ``NamelessFile/Failure``.
    package init(of folders: [RunFolder]) throws {
        try self.init(files: 0)
        recorded = try RecordedOutcomes(folders)
    }

    /// True if there is an event log of each case, in its run folder.
    package var hasLogs: Bool { recorded != nil }

    /// The timeline of a case; nil if it is no longer available.
    package func story(of outcome: CaseOutcome) -> RunTimeline? { outcome.story ?? recorded?.story(of: outcome) }

    /// Stores the outcomes of a file.
    ///
    /// - Parameters:
    ///   - index: The index of the file in the suite.
    ///   - tell: Adds the outcomes in the order of the cases.
    /// - Throws: An error of `tell`, or `Errno`; nothing is stored then.
    mutating func keep(of index: Int, _ tell: (inout Keeping) throws -> Void) throws {
        let writer = OutcomeWriter(FileDescriptor(rawValue: file.descriptor), at: end)
        var keeping = Keeping(tally: SuiteTally(), writer: writer)
        try tell(&keeping)
        let end = try keeping.writer.flush()
        parts[index] = (self.end..<end, keeping.tally)
        self.end = end
    }

    /// A writer of the outcomes of a file.
    struct Keeping {
        fileprivate var tally: SuiteTally
        fileprivate var writer: OutcomeWriter

        mutating func add(_ outcome: CaseOutcome) throws {
            try writer.write(outcome)
            tally.add(outcome)
        }

        /// Adds an outcome that is already encoded as JSON.
        mutating func add(_ outcome: CaseOutcome, line: Data) throws {
            try writer.write(line: line)
            tally.add(outcome)
        }
    }

    /// Calls a function with each outcome.
    ///
    /// - Throws: An error of the function, or `Errno`.
    package func each(_ body: (CaseOutcome) throws -> Void) throws {
        if let recorded { return try recorded.each(body) }
        let decoder = JSONDecoder()
        for (place, _) in parts {
            var lines = OutcomeLines(FileDescriptor(rawValue: file.descriptor), in: place)
            while let line = try lines.next() { try body(try decoder.decode(CaseOutcome.self, from: line)) }
        }
    }

    /// Calls a function with the outcomes of each file.
    package func eachFile(_ body: ([CaseOutcome]) throws -> Void) throws {
        var cases: [CaseOutcome] = []
        try each { outcome in
            if let last = cases.last, last.result.name.file != outcome.result.name.file {
                try body(cases)
                cases = []
            }
            cases.append(outcome)
        }
        if !cases.isEmpty { try body(cases) }
    }
}
