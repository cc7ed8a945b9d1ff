/// A declaration of an app that silences or stops its audio.
package struct DeclarationFault: Sendable, Hashable {
    /// The key of the app policy.
    package let key: String
    package let problem: String
    /// The measure that removes it.
    package let fix: String

    static let backgroundModeMissing = DeclarationFault(
        key: "background-modes",
        problem: "background-modes lacks audio",
        fix: "add it to the app (UIBackgroundModes in Info.plist)"
    )

    static let inactive = DeclarationFault(
        key: "audio-session.active",
        problem: "audio-session.active is never, and the platform does not activate the session",
        fix: "activate it before playback (AVAudioSession.setActive)"
    )

    /// A category whose audio is not heard.
    static func category(_ category: AudioSessionCategory, _ effect: String) -> DeclarationFault {
        DeclarationFault(
            key: "audio-session.category",
            problem: "audio-session.category is \(category.rawValue), \(effect)",
            fix: "set playback (AVAudioSession.setCategory)"
        )
    }

    /// Settings that the platform refuses, so that the session keeps the default category.
    static func refused(_ reason: String, in key: String) -> DeclarationFault {
        DeclarationFault(
            key: "audio-session.\(key)",
            problem: "audio-session.\(key) \(reason), so the category stays soloAmbient",
            fix: "set values that the platform has (AVAudioSession.setCategory)"
        )
    }
}
