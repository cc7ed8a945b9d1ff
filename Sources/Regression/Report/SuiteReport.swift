package import Comparison
package import Foundation

/// What became of a whole suite; INTERFACE's `regress --json`.
package struct SuiteReport {
    /// The suite in figures.
    package struct Summary: Sendable, Codable, Equatable {
        /// Files that cases were made of.
        package var files = 0
        /// All cases.
        package var cases = 0
        /// Cases of each verdict.
        package var passed = 0
        package var failed = 0
        package var known = 0
        package var skipped = 0
        /// How long the suite took, in seconds.
        package var wallSeconds = 0.0
        /// How much was heard in all cases, in seconds.
        package var playedSeconds = 0.0

        /// Adds a case, of a file that is counted already.
        mutating func add(_ result: CaseResult) {
            cases += 1
            switch result.verdict {
            case .pass: passed += 1
            case .fail: failed += 1
            case .known: known += 1
            case .skip: skipped += 1
            }
            playedSeconds += result.metrics.heardSeconds
        }

        /// Adds cases of other files.
        mutating func add(_ other: Summary) {
            files += other.files
            cases += other.cases
            passed += other.passed
            failed += other.failed
            known += other.known
            skipped += other.skipped
            playedSeconds += other.playedSeconds
        }
    }

    /// The version of the format.
    private static let schema = 1

    /// The suite in figures.
    package let summary: Summary
    /// Every case, in the order of the matrix.
    package let outcomes: CaseOutcomes
    /// When and by what the suite was run; nil where nobody says.
    package let run: RunFacts?

    /// The known issues that cover nothing any more; nil where nobody has looked.
    package let unusedIssues: [KnownIssue]?

    /// A report.
    ///
    /// - Parameters:
    ///   - outcomes: Every case, in the order of the matrix.
    ///   - wallSeconds: How long the suite took.
    ///   - run: When and by what it was run; nil where nobody says.
    ///   - unusedIssues: The known issues that cover nothing any more; nil where nobody has looked.
    package init(
        _ outcomes: CaseOutcomes,
        wallSeconds: Double,
        run: RunFacts? = nil,
        unusedIssues: [KnownIssue]? = nil
    ) {
        var summary = outcomes.tally.summary
        summary.wallSeconds = wallSeconds
        self.summary = summary
        self.outcomes = outcomes
        self.run = run
        self.unusedIssues = unusedIssues
    }

    /// Writes the report as JSON.
    ///
    /// - Parameter write: Takes one piece after the other.
    /// - Throws: An `EncodingError` for a figure that JSON cannot hold, what `write` throws, or `Errno` where the
    ///   outcomes cannot be read.
    package func writeJSON(to write: (Data) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Data("{\n  \"cases\" : [\n".utf8))
        var separator = ""
        try outcomes.each { outcome in
            try write(Data(separator.utf8) + Self.indented(try encoder.encode(outcome.result), by: 4))
            separator = ",\n"
        }
        try write(Data("\n  ],\n".utf8))
        func member(_ name: String, _ value: some Encodable) throws {
            let json = Self.indented(try encoder.encode(value), by: 2).dropFirst(2)
            try write(Data("  \"\(name)\" : ".utf8) + json)
        }
        if let run {
            try member("run", run)
            try write(Data(",\n".utf8))
        }
        try member("schema", Self.schema)
        try write(Data(",\n".utf8))
        try member("summary", summary)
        if let unusedIssues {
            try write(Data(",\n".utf8))
            try member("unusedKnownIssues", unusedIssues.map(UnusedIssue.init))
        }
        try write(Data("\n}\n".utf8))
    }

    /// A known issue that covers nothing any more, as the report has it.
    private struct UnusedIssue: Encodable {
        let name: String
        let file: String
        let owner: String?
        let link: String?

        init(_ issue: KnownIssue) { (name, file, owner, link) = (issue.name, issue.file, issue.owner, issue.link) }
    }

    /// JSON, whose strings have no line breaks, with so many spaces before each line.
    private static func indented(_ json: Data, by spaces: Int) -> Data {
        let margin = Data(repeating: UInt8(ascii: " "), count: spaces)
        var (text, isStart) = (Data(), true)
        for byte in json {
            let isBreak = byte == UInt8(ascii: "\n")
            if isStart, !isBreak { text += margin }
            text.append(byte)
            isStart = isBreak
        }
        return text
    }
}
