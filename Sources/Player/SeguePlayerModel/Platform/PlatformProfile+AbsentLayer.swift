extension PlatformProfile {
    /// The treatment of an app without a video layer, which is the sender of the pause in the background.
    package final class AbsentLayer: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "pauses-without-layer",
            .word,
            meaning: """
                The items that the platform pauses although the app never had a video layer, which sends the pause \
                otherwise. It pauses none that it would not pause with a layer.
                """
        )
        package var pauses: Pausing

        @ProfileField(
            "judges-without-layer",
            .flag,
            meaning: "`starting-video` and `resuming-video` apply to an app that never had a video layer as well."
        )
        package var isJudged: Bool

        package init() {}
    }
}
