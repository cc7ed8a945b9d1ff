package import SegueData

extension AppProfile {
    /// The audio session of the app.
    package final class AudioSession: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField("category", .spelledWord, meaning: "The category that the app sets.")
        package var category: AudioSessionCategory

        @ProfileField("mode", .word, meaning: "The mode that the app sets.")
        package var mode: AudioSessionMode

        @ProfileField("options", .words(), meaning: "The options that the app sets.")
        package var options: [AudioSessionOption]

        @ProfileField("active", .word, meaning: "The moment at which the app activates the session.")
        package var active: AudioSessionActivation

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            if let conflict = settings.conflict { try reader.require(false, of: conflict.key, conflict.reason) }
        }

        fileprivate var settings: AudioSessionSettings {
            AudioSessionSettings(category: category, mode: mode, options: options)
        }
    }

    /// The declarations in the app's file.
    var writtenDeclarations: AppDeclarations {
        AppDeclarations(
            backgroundModes: backgroundModes,
            session: audioSession.settings,
            activation: audioSession.active
        )
    }
}
