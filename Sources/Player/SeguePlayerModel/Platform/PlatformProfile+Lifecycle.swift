extension PlatformProfile {
    /// The times between the phases of leaving an app and returning to it.
    package final class Lifecycle: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "suspends-media-after",
            .duration,
            meaning: "The time from willResignActive to the suspension of media by the platform."
        )
        package var suspendsMediaAfter: Duration

        @ProfileField(
            "enters-background-after",
            .duration,
            meaning:
                "The time from willResignActive to didEnterBackground, which may come before or after that suspension."
        )
        package var entersBackgroundAfter: Duration

        @ProfileField(
            "becomes-active-after",
            .duration,
            meaning: "The time from willEnterForeground to didBecomeActive."
        )
        package var becomesActiveAfter: Duration

        @ProfileField(
            "runs-in-background",
            .flag,
            meaning: "Apps keep running when the user leaves them. If `false`, leaving an app terminates it."
        )
        package var runsInBackground: Bool

        @ProfileField(
            "suspends-app-after",
            .durationOrNever,
            meaning: "The time in the background after which an app without audible media is suspended."
        )
        package var suspendsAppAfter: Duration?

        @ProfileField(
            "suspends-silent-app-after",
            .durationOrNever,
            meaning: """
                The time in the background after which an app is suspended whose player was paused when the user left \
                it, if the app has not called `play` since.
                """
        )
        package var suspendsSilentAppAfter: Duration?

        @ProfileField(
            "suspends-without-service-after",
            .durationOrNever,
            meaning: """
                The time in the background after which an app with audible media and without a foreground service is \
                suspended.
                """
        )
        package var suspendsWithoutServiceAfter: Duration?

        @ProfileField(
            "background-task-limit",
            .durationOrNever,
            meaning: """
                The time for which a background task keeps an app running, counted from when the app left the screen \
                or was last audible.
                """
        )
        package var backgroundTaskLimit: Duration?

        @ProfileField(
            "wakes-for-remote-commands",
            .flag,
            meaning: """
                A suspended app runs again when the user sends a command from the lock screen, the headphones, or the \
                multitasking bar. If `false`, the command is lost.
                """
        )
        package var wakesForRemoteCommands: Bool

        package init() {}
    }
}
