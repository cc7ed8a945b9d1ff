package import Foundation
package import SegueComparison

/// What became of a whole suite; INTERFACE's `regress --json`.
package struct SuiteReport {
    /// The suite in figures.
    package struct Summary: Sendable, Equatable {
        /// Files that cases were made of.
        package var files = 0
        /// All cases.
        package var cases = 0
        /// Cases of each verdict.
        package var passed = 0
        package var failed = 0
        package var known = 0
        package var skipped = 0
        package var broken = 0
        /// How many cases there should be; nil where there are all.
        package var planned: Int?
        /// How long the suite took, in seconds; nil where nobody is to know.
        package var wallSeconds: Double?
        /// How much was heard in all cases, in seconds.
        package var playedSeconds = 0.0
        /// Cases whose content was verified before this run, and not again.
        package var verifiedBefore = 0

        /// Adds a case, of a file that is counted already.
        mutating func add(_ result: CaseResult) {
            cases += 1
            switch result.verdict {
            case .pass: passed += 1
            case .fail: failed += 1
            case .known: known += 1
            case .skip: skipped += 1
            case .broken: broken += 1
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
            broken += other.broken
            playedSeconds += other.playedSeconds
            verifiedBefore += other.verifiedBefore
        }
    }

    /// The version of the format.
    private static let schema = 1

    /// The suite in figures.
    package let summary: Summary
    /// Every case, in the order of the matrix.
    package let outcomes: CaseOutcomes
    private let hasCaseTimes: Bool

    /// When and by what the suite was run; nil where nobody says.
    package let run: RunFacts?

    /// The known issues that cover nothing any more; nil where nobody has looked.
    package let unusedIssues: [KnownIssue]?

    /// Where the films and titles stand, by name, to be pointed at.
    package let places: [String: SourcePlace]

    /// What the rules say, by their ids.
    package let abouts: [String: String]

    /// The tags of titles that have some, by name.
    package var tags: [String: [String]] = [:]

    /// A report.
    ///
    /// - Parameters:
    ///   - outcomes: Every case, in the order of the matrix.
    ///   - wallSeconds: How long the suite took; nil where the report is to be without times.
    ///   - planned: How many cases there should be; nil where there are all.
    ///   - hasCaseTimes: Whether the JSON says how long each case took.
    ///   - run: When and by what it was run; nil where nobody says.
    ///   - unusedIssues: The known issues that cover nothing any more; nil where nobody has looked.
    ///   - places: Where the films and titles stand, by name.
    ///   - abouts: What the rules say, by their ids.
    package init(
        _ outcomes: CaseOutcomes,
        wallSeconds: Double?,
        planned: Int? = nil,
        hasCaseTimes: Bool = false,
        run: RunFacts? = nil,
        unusedIssues: [KnownIssue]? = nil,
        places: [String: SourcePlace] = [:],
        abouts: [String: String] = Finding.ownRules
    ) {
        var summary = outcomes.tally.summary
        summary.wallSeconds = wallSeconds
        // What one run was spared another was not, as with times.
        if wallSeconds == nil { summary.verifiedBefore = 0 }
        summary.planned = planned == summary.cases ? nil : planned
        self.summary = summary
        self.outcomes = outcomes
        self.hasCaseTimes = hasCaseTimes
        self.run = run
        self.unusedIssues = unusedIssues
        self.places = places
        self.abouts = abouts
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
            try write(Data(separator.utf8) + Self.indented(try encoder.encode(entry(for: outcome)), by: 4))
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
        if let unusedIssues, !unusedIssues.isEmpty {
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

    private func entry(for outcome: CaseOutcome) -> CaseRecord {
        var record = CaseRecord(outcome)
        if !hasCaseTimes { record.times = nil }
        if summary.wallSeconds == nil { record.verified = nil }
        return record
    }

    /// JSON, whose strings have no line breaks, with so many spaces before each line.
    private static func indented(_ json: Data, by spaces: Int) -> Data {
        let margin = [UInt8](repeating: UInt8(ascii: " "), count: spaces)
        var text: [UInt8] = []
        text.reserveCapacity(json.count * 2)
        json.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
                if end > rest.startIndex { text += margin }
                text += rest[..<end]
                if end < rest.endIndex { text.append(UInt8(ascii: "\n")) }
                rest = rest[min(end + 1, rest.endIndex)...]
            }
        }
        return Data(text)
    }
}

extension SuiteReport.Summary: Encodable {
    private enum Key: String, CodingKey {
        case files, cases, planned, passed, failed, known, skipped, broken, wallSeconds, playedSeconds, verifiedBefore
    }

    /// Writes the figures; ``planned``, ``broken`` and ``verifiedBefore`` only where there is something to say.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(files, forKey: .files)
        try fields.encode(cases, forKey: .cases)
        try fields.encodeIfPresent(planned, forKey: .planned)
        try fields.encode(passed, forKey: .passed)
        try fields.encode(failed, forKey: .failed)
        try fields.encode(known, forKey: .known)
        try fields.encode(skipped, forKey: .skipped)
        if broken > 0 { try fields.encode(broken, forKey: .broken) }
        try fields.encodeIfPresent(wallSeconds, forKey: .wallSeconds)
        try fields.encode(playedSeconds, forKey: .playedSeconds)
        if verifiedBefore > 0 { try fields.encode(verifiedBefore, forKey: .verifiedBefore) }
    }
}
