internal import Foundation
internal import SegueBase

/// When the content that a case plays was compared with what it was made of.
package struct ContentVerification: Sendable, Codable, Equatable {
    /// When, in words of the report.
    package enum When: String, Sendable, Codable {
        /// In this run.
        case now
        /// In a run before this one, by the same program, of the same bytes.
        case before
    }

    /// When.
    package var when: When
    /// When it was verified before, as ISO 8601 has it: the part of it for which that is longest ago; nil for this run.
    package var date: String?

    /// When all of some content was verified; nil for none.
    init?(_ content: [ContentCheck.Outcome]) {
        guard !content.isEmpty else { return nil }
        let dates = content.compactMap(\.before)
        when = dates.count == content.count ? .before : .now
        guard when == .before, let first = dates.min() else { return }
        date = UTCTime(secondsSince1970: Int64(exactly: first.rounded(.down)) ?? 0).description
    }
}
