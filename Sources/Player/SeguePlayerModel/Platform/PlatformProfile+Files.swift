extension PlatformProfile {
    /// Items that are a single file or stream, without a playlist.
    package final class Files: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "file-probe",
            .flag,
            meaning: """
                The first request for an item whose URL does not end like that of a playlist is for its first two \
                bytes. The next one is for the whole file by range, for the whole stream, or for the playlist.
                """
        )
        package var probes: Bool

        @ProfileField("file-ranges", .word, meaning: "The handling of files from servers without byte ranges.")
        package var ranges: FileRanges

        package init() {}
    }

    /// The handling of files from servers without byte ranges.
    package enum FileRanges: String, FieldChoice {
        case optional
        case required

        package var meaning: String {
            switch self {
            case .optional: "They play. A seek waits until the file has arrived up to its target."
            case .required:
                """
                MP4, WAVE, AIFF, and FLAC files fail, as well as those whose ranges are cut short. Streams of MP3 or \
                AAC play.
                """
            }
        }
    }
}
