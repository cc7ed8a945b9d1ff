extension PlatformProfile {
    /// The buffer that playback needs to begin or resume.
    package final class Starting: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "keep-up-least",
            .duration,
            meaning: "The minimum buffer to play when media load faster than they play."
        )
        package var keepUpLeast: Duration

        @ProfileField(
            "keep-up-margin",
            .positiveNumber,
            meaning: "The minimum ratio of loading speed to playback speed for `keep-up-least` to suffice."
        )
        package var keepUpMargin: Double

        @ProfileField(
            "keep-up-enough",
            .duration,
            meaning: "The buffer that suffices to play however slowly media load."
        )
        package var keepUpEnough: Duration

        @ProfileField(
            "start-segments",
            .positiveNumber(or: "none"),
            meaning: """
                The buffer that suffices to play however slowly media load, in segments of average duration. It \
                replaces the three `keep-up` rules.
                """
        )
        package var startSegments: Double?

        @ProfileField("start-most", .duration, meaning: "The maximum buffer that `start-segments` requires.")
        package var startMost: Duration

        @ProfileField(
            "start-waits-for-request",
            .flag,
            meaning:
                "The first playback waits until each rendition has loaded a second segment, or pauses after the first."
        )
        package var startWaitsForRequest: Bool

        @ProfileField("start-latency", .duration, meaning: "The delay between that moment and the first playback.")
        package var startLatency: Duration

        package init() {}
    }
}
