extension PlatformProfile {
    /// The reports of errors to an app.
    package final class Reporting: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "error-codes",
            .word,
            meaning: "The domains and codes of errors in error logs and of failed items."
        )
        package var errorCodes: ErrorCodes

        package init() {}
    }

    /// The domains and codes of errors.
    package enum ErrorCodes: String, FieldChoice {
        case segue
        case apple

        package var meaning: String {
            switch self {
            case .segue: "`HTTP` with the status, `NSURLErrorDomain`, `Playlist`, `Media`, and `Platform`."
            case .apple:
                """
                Those that devices report for the same failure, such as `CoreMediaErrorDomain` −12938 in the error log \
                and `NSURLErrorDomain` −1100 of the item for a 404. A failure whose codes no public report names keeps \
                those of `segue`.
                """
            }
        }
    }
}
