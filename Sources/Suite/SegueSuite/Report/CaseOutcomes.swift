internal import Foundation
package import SegueCharts
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SystemPackage

/// What came of a suite's cases, in the order of the matrix.
///
/// It lies in a file without a name, so that a hundred thousand cases take as much memory as ten.
package struct CaseOutcomes {
    /// The cases in figures, added up in the order of the matrix, whatever order they came in.
    package var tally: SuiteTally { recorded?.tally ?? parts.reduce(into: SuiteTally()) { $0.add($1.tally) } }

    /// What was recorded in runs' folders, and is kept there; nil where all is kept here.
    private var recorded: RecordedOutcomes?
    private let file: NamelessFile
    /// Where in the file the outcomes of each of the suite's files lie, and what they come to.
    private var parts: [(place: Range<Int64>, tally: SuiteTally)]
    private var end: Int64 = 0

    /// No outcomes yet.
    ///
    /// - Parameter files: How many files the suite has.
    /// - Throws: ``NamelessFile/Failure`` where the system refuses a file.
    package init(files: Int) throws {
        file = try NamelessFile()
        parts = Array(repeating: (0..<0, SuiteTally()), count: files)
    }

    /// The outcomes of one file's cases.
    ///
    /// - Throws: As ``init(files:)`` and ``keep(of:_:)``.
    package init(_ outcomes: [CaseOutcome]) throws {
        try self.init(files: 1)
        try keep(of: 0) { for outcome in outcomes { try $0.add(outcome) } }
    }

    /// The outcomes in runs' folders.
    ///
    /// - Throws: ``RunFolderError`` where they cannot be read, or ``NamelessFile/Failure``.
    package init(of folders: [RunFolder]) throws {
        try self.init(files: 0)
        recorded = try RecordedOutcomes(folders)
    }

    /// Whether there is an event log of each case, in the folder of its run.
    package var hasLogs: Bool { recorded != nil }

    /// What happened in a case; nil where it is not known any more.
    package func story(of outcome: CaseOutcome) -> RunStory? { outcome.story ?? recorded?.story(of: outcome) }

    /// Keeps the outcomes of a file.
    ///
    /// - Parameters:
    ///   - index: The file's place in the suite.
    ///   - tell: Adds them, in the order of the cases.
    /// - Throws: What `tell` throws, or `Errno` where they cannot be written; then none of them is kept.
    mutating func keep(of index: Int, _ tell: (inout Keeping) throws -> Void) throws {
        let writer = OutcomeWriter(FileDescriptor(rawValue: file.descriptor), at: end)
        var keeping = Keeping(tally: SuiteTally(), writer: writer)
        try tell(&keeping)
        let end = try keeping.writer.flush()
        parts[index] = (self.end..<end, keeping.tally)
        self.end = end
    }

    /// Outcomes that are about to be kept.
    struct Keeping {
        fileprivate var tally: SuiteTally
        fileprivate var writer: OutcomeWriter

        /// Adds an outcome.
        mutating func add(_ outcome: CaseOutcome) throws {
            try writer.write(outcome)
            tally.add(outcome)
        }

        /// Adds an outcome that is a line of JSON already.
        mutating func add(_ outcome: CaseOutcome, line: Data) throws {
            try writer.write(line: line)
            tally.add(outcome)
        }
    }

    /// Calls a function with each outcome.
    ///
    /// - Throws: What the function throws, or `Errno` where the file cannot be read.
    package func each(_ body: (CaseOutcome) throws -> Void) throws {
        if let recorded { return try recorded.each(body) }
        let decoder = JSONDecoder()
        for (place, _) in parts {
            var lines = OutcomeLines(FileDescriptor(rawValue: file.descriptor), in: place)
            while let line = try lines.next() { try body(try decoder.decode(CaseOutcome.self, from: line)) }
        }
    }

    /// Calls a function with the outcomes of each file.
    ///
    /// - Throws: As ``each(_:)``.
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
