internal import SegueData

extension PlatformProfile {
    /// What follows a request for a segment that failed.
    package struct Failing: Sendable, Equatable {
        /// From where a segment is asked for again that broke off.
        package let retryFrom: RetryFrom
        /// What becomes of a segment that is not asked for again.
        package let afterRetries: AfterRetries
    }

    /// From where a segment is asked for again that broke off.
    package enum RetryFrom: String, Sendable, CaseIterable {
        /// The whole of it.
        case start
        /// The rest, by its range, where the server said how long the whole is.
        case received
    }

    /// What becomes of a segment that is not asked for again.
    package enum AfterRetries: String, Sendable, CaseIterable {
        /// What is buffered is played, then the item fails.
        case failWhenPlayed = "fail-when-played"
        /// The item fails at once.
        case failNow = "fail-now"
        /// It is left out as if the playlist had a gap there.
        case skip
    }
}

extension PlatformProfile.Failing {
    static let keys = ["retry-from", "after-retries"]

    init(_ section: inout SourcedFields) throws(HarnessError) {
        retryFrom = try section.word("retry-from")
        afterRetries = try section.word("after-retries")
    }
}
