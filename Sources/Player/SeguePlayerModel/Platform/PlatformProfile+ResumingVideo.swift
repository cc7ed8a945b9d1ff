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
            "remotely-resuming-video",
            .wordOrWords(),
            meaning: """
                The result when the user resumes a paused item with video from the lock screen, the headphones, or the \
                multitasking bar. If several are possible, the seed chooses.
                """
        )
        package var byRemote: [Verdict]

        @ProfileField(
            "video-stops-after",
            .duration,
            meaning: "The time for which an item with video plays in the background before it `stops`."
        )
        package var stopsAfter: Duration

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            for (verdicts, key) in [(byApp, "resuming-video"), (byRemote, "remotely-resuming-video")] {
                try reader.require(!verdicts.isEmpty, of: key, "must have at least one word")
            }
        }
    }
}
