package import SegueData

extension PlatformProfile {
    /// The results when an item with video is resumed in the background.
    package final class ResumingVideo: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "resuming-video",
            .wordOrWords(),
            meaning: """
                The result when an app resumes a paused item with video. If several are possible and nobody knows what \
                decides, the seed chooses.
                """
        )
        package var byApp: [Verdict]

        @ProfileField(
            "video-stops-after",
            .duration,
            meaning: "The time for which an item with video plays in the background before it `stops`."
        )
        package var stopsAfter: Duration

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            try reader.require(!byApp.isEmpty, of: "resuming-video", "must have at least one word")
        }
    }
}
