extension PlatformProfile {
    /// The audio sessions of apps, and their background modes.
    package final class AudioSession: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "needs-background-mode",
            .flag,
            meaning: """
                Apps play in the background only with the background mode `audio`. Without it, playback pauses in \
                didEnterBackground, and `play` has no effect until the app returns.
                """
        )
        package var needsBackgroundMode: Bool

        @ProfileField(
            "categories",
            .words(),
            meaning: "The categories that apps can set. An empty list means that there are no audio sessions."
        )
        package var categories: [AudioSessionCategory]

        @ProfileField("modes", .words(), meaning: "The modes that apps can set.")
        package var modes: [AudioSessionMode]

        @ProfileField("options", .words(), meaning: "The options that apps can set.")
        package var options: [AudioSessionOption]

        @ProfileField(
            "silenced-by-switch",
            .words(),
            meaning: "The categories whose audio is silent while the Ring/Silent switch is set to silent."
        )
        package var silencedBySwitch: [AudioSessionCategory]

        @ProfileField(
            "silenced-by-lock",
            .words(),
            meaning: "The categories whose audio is silent while the device is locked."
        )
        package var silencedByLock: [AudioSessionCategory]

        @ProfileField(
            "silenced-in-background",
            .words(),
            meaning: "The categories whose audio is silent while the app is in the background."
        )
        package var silencedInBackground: [AudioSessionCategory]

        @ProfileField(
            "activates-on-play",
            .flag,
            meaning: "The platform activates an inactive session when playback begins."
        )
        package var activatesOnPlay: Bool

        package init() {}
    }
}
