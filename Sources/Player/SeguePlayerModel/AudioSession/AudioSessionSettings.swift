/// The settings of an audio session.
package struct AudioSessionSettings: Sendable, Hashable {
    package var category: AudioSessionCategory
    package var mode: AudioSessionMode
    package var options: [AudioSessionOption]

    package init(
        category: AudioSessionCategory = .playback,
        mode: AudioSessionMode = .standard,
        options: [AudioSessionOption] = []
    ) {
        (self.category, self.mode, self.options) = (category, mode, options)
    }

    /// The settings of an app that sets none.
    static let platformDefault = AudioSessionSettings(category: .soloAmbient)

    /// True if the session's audio mixes with that of other apps.
    var mixes: Bool { category == .ambient || options.contains(where: \.mixes) }

    /// The field that does not fit the category, with the reason; nil if all fit.
    package var conflict: (key: String, reason: String)? {
        guard mode.categories.contains(category) else {
            return ("mode", "is \(mode.rawValue), " + only(mode.categories))
        }
        if let option = options.first(where: \.mixes), !category.isMixingOptional, category != .ambient {
            let allowed = AudioSessionCategory.allCases.filter(\.isMixingOptional)
            return ("options", "has \(option.rawValue), " + only(allowed))
        }
        return nil
    }

    private func only(_ categories: [AudioSessionCategory]) -> String {
        let allowed = categories.map(\.rawValue).joined(separator: ", ")
        return "which the category \(category.rawValue) does not allow; use \(allowed)"
    }
}

/// The declarations of an app on which its audio depends: the background modes in Info.plist, and its audio session.
package struct AppDeclarations: Sendable, Hashable {
    package var backgroundModes: [BackgroundMode]
    package var session: AudioSessionSettings
    package var activation: AudioSessionActivation

    /// The declarations of an app that plays audio in the background.
    package init(
        backgroundModes: [BackgroundMode] = [.audio],
        session: AudioSessionSettings = AudioSessionSettings(),
        activation: AudioSessionActivation = .atLaunch
    ) {
        (self.backgroundModes, self.session, self.activation) = (backgroundModes, session, activation)
    }
}
