extension PlatformProfile {
    /// The handling of failed requests.
    package final class Failing: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "retries",
            .integer(in: 0...1000),
            meaning: "The number of retries of a failed request, for failures that `retries-by-kind` does not list."
        )
        package var retries: Int

        @ProfileField(
            "retries-by-kind",
            .counts(),
            meaning: """
                The number of retries by kind of failure. A failure of no kind below, such as a 403, is not retried.
                """
        )
        package var retriesByKind: [FailureKind: Int]

        @ProfileField(
            "retry-delay",
            .duration,
            meaning: """
                The delay before the first retry. It doubles with each further failure. A `Retry-After` of the server \
                takes precedence.
                """
        )
        package var retryDelay: Duration

        @ProfileField("retry-delay-limit", .duration, meaning: "The maximum delay before a retry.")
        package var retryDelayLimit: Duration

        @ProfileField("retry-from", .word, meaning: "The part of a truncated segment that a retry requests.")
        package var retryFrom: RetryFrom

        @ProfileField("after-retries", .word, meaning: "The effect of a segment whose retries are exhausted.")
        package var afterRetries: AfterRetries

        package init() {}
    }

    /// The part of a truncated segment that a retry requests.
    package enum RetryFrom: String, FieldChoice {
        case start
        case received

        package var meaning: String {
            switch self {
            case .start: "The whole segment."
            case .received: "The missing rest, by range, if the server sent the length of the whole."
            }
        }
    }

    /// The effect of a segment whose retries are exhausted.
    package enum AfterRetries: String, FieldChoice {
        case failWhenPlayed = "fail-when-played"
        case failNow = "fail-now"
        case skip

        package var meaning: String {
            switch self {
            case .failWhenPlayed: "The item fails after the buffered media have been played."
            case .failNow: "The item fails immediately."
            case .skip: "The segment is skipped as if the playlist had a gap."
            }
        }
    }
}
