package import Foundation
package import SegueComparison
internal import SeguePlayerModel

/// The report of a suite, as `regress --json` writes it.
package struct SuiteReport {
    /// The totals of a suite.
    package struct Summary: Sendable, Equatable {
        package var files = 0
        package var cases = 0
        /// The number of cases of each verdict.
        package var passed = 0
        package var failed = 0
        package var known = 0
        package var skipped = 0
        package var broken = 0
        /// The number of planned cases; nil if all are done.
        package var planned: Int?
        /// The duration of the suite in seconds; nil in a report without times.
        package var wallSeconds: Double?
        /// The total duration of heard audio in seconds.
        package var playedSeconds = 0.0
        /// The number of cases whose content was verified in an earlier run.
        package var verifiedBefore = 0

        /// Adds a case of a file that is already counted.
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

        /// Adds the cases of other files.
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

    private static let schema = 1

    package let summary: Summary
    /// The cases in the order of the matrix.
    package let outcomes: CaseOutcomes
    /// True if the JSON includes the times of cases.
    package var hasCaseTimes = false

    /// The cases that were left out, since they cannot be.
    package var leftOut: [LeftOut] = []

    /// The facts of the run; nil if unknown.
    package var run: RunFacts?

    /// The known issues that cover nothing any more; nil if not checked.
    package var unusedIssues: [KnownIssue]?

    /// The locations of the files and titles, by name.
    package var places: [String: SourcePlace] = [:]

    /// The descriptions of the rules, by id.
    package var abouts = Finding.ownRules

    /// The tags of the titles that have any, by name.
    package var tags: [String: [String]] = [:]

    /// - Parameters:
    ///   - outcomes: The cases in the order of the matrix.
    ///   - wallSeconds: The duration of the suite; nil for a report without times.
    ///   - planned: The number of planned cases; nil if all are done.
    package init(_ outcomes: CaseOutcomes, wallSeconds: Double?, planned: Int? = nil) {
        var summary = outcomes.tally.summary
        summary.wallSeconds = wallSeconds
        // Like times, earlier verifications differ from run to run.
        if wallSeconds == nil { summary.verifiedBefore = 0 }
        summary.planned = planned == summary.cases ? nil : planned
        self.summary = summary
        self.outcomes = outcomes
    }

    /// Writes the report as JSON, piece by piece.
    ///
    /// - Throws: An `EncodingError` for a figure that JSON cannot represent, an error of `write`, or `Errno` if the
    ///   outcomes cannot be read.
    package func writeJSON(to write: (Data) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Data("{\n  \"cases\" : [\n".utf8))
        var separator = ""
        try outcomes.eachFile { cases in
            for outcome in cases {
                let entry = entry(for: outcome, among: cases)
                try write(Data(separator.utf8) + Self.indented(try encoder.encode(entry), by: 4))
                separator = ",\n"
            }
        }
        try write(Data("\n  ],\n".utf8))
        func member(_ name: String, _ value: some Encodable) throws {
            let json = Self.indented(try encoder.encode(value), by: 2).dropFirst(2)
            try write(Data("  \"\(name)\" : ".utf8) + json)
        }
        if !leftOut.isEmpty {
            try member("leftOut", leftOut)
            try write(Data(",\n".utf8))
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

    /// A known issue that covers nothing any more.
    private struct UnusedIssue: Encodable {
        let name: String
        let file: String
        let owner: String?
        let link: String?

        init(_ issue: KnownIssue) { (name, file, owner, link) = (issue.name, issue.file, issue.owner, issue.link) }
    }

    private func entry(for outcome: CaseOutcome, among cases: [CaseOutcome]) -> CaseRecord {
        var record = CaseRecord(outcome)
        record.trace = nil
        record.transitions = outcome.trace?.countsByActor
        record.nearestPassing = NearestPassing(of: outcome, among: cases)
        if !hasCaseTimes { record.times = nil }
        if summary.wallSeconds == nil { record.verified = nil }
        return record
    }

    /// JSON indented by spaces; its strings contain no line feeds.
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

    /// Encodes the totals; ``planned``, ``broken``, and ``verifiedBefore`` only if they matter.
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
