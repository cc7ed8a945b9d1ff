package import Foundation

/// What became of a whole suite; INTERFACE's `regress --json`.
package struct SuiteReport: Sendable, Codable, Equatable {
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
    }

    /// The version of the format.
    package let schema: Int

    /// The suite in figures.
    package let summary: Summary

    /// Every case, in the order of the matrix.
    package let cases: [CaseResult]

    /// Adds cases up.
    ///
    /// - Parameters:
    ///   - cases: Every case, in the order of the matrix.
    ///   - wallSeconds: How long the suite took.
    package init(cases: [CaseResult], wallSeconds: Double) {
        var summary = Summary()
        summary.files = Set(cases.map(\.name.file)).count
        summary.cases = cases.count
        for result in cases {
            switch result.verdict {
            case .pass: summary.passed += 1
            case .fail: summary.failed += 1
            case .known: summary.known += 1
            case .skip: summary.skipped += 1
            }
            summary.playedSeconds += result.metrics.heardSeconds
        }
        summary.wallSeconds = wallSeconds
        schema = 1
        self.summary = summary
        self.cases = cases
    }

    /// The report as JSON, ready to be written.
    ///
    /// - Throws: An `EncodingError` for a figure that JSON cannot hold.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
