internal import Foundation
internal import SegueBase

/// The time at which the content of a case was compared with its source.
package struct ContentVerification: Sendable, Codable, Equatable {
    /// The time as the report shows it.
    package enum When: String, Sendable, Codable {
        /// In this run.
        case now
        /// In an earlier run of the same program, for the same bytes.
        case before
    }

    package var when: When
    /// The date of an earlier verification in ISO 8601, the oldest if there are several; nil for this run.
    package var date: String?

    /// The verification of several contents; nil without any.
    init?(_ content: [ContentCheck.Outcome]) {
        guard !content.isEmpty else { return nil }
        let dates = content.compactMap(\.before)
        when = dates.count == content.count ? .before : .now
        guard when == .before, let first = dates.min() else { return }
        date = UTCTime(secondsSince1970: Int64(exactly: first.rounded(.down)) ?? 0).description
    }
}
