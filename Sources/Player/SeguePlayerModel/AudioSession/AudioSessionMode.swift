/// A mode of an audio session (`AVAudioSession.Mode`).
package enum AudioSessionMode: String, FieldChoice {
    case standard = "default"
    case moviePlayback, spokenAudio, voicePrompt, voiceChat, videoChat, gameChat, videoRecording, measurement

    package var meaning: String {
        let list = categories.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return self == .standard
            ? "No special use." : "Allowed with \(list). No other effect in this model."
    }

    /// The categories that allow the mode.
    var categories: [AudioSessionCategory] {
        switch self {
        case .standard, .voicePrompt: AudioSessionCategory.allCases
        case .moviePlayback: [.playback]
        case .spokenAudio: [.soloAmbient, .playback, .playAndRecord, .multiRoute]
        case .voiceChat, .videoChat, .gameChat: [.playAndRecord]
        case .videoRecording: [.record, .playAndRecord]
        case .measurement: [.playback, .record, .playAndRecord]
        }
    }
}

/// An option of an audio session's category (`AVAudioSession.CategoryOptions`).
package enum AudioSessionOption: String, FieldChoice {
    case mixWithOthers, duckOthers, interruptSpokenAudioAndMixWithOthers, allowBluetooth, allowBluetoothA2DP
    case allowAirPlay, defaultToSpeaker, overrideMutedMicrophoneInterruption

    package var meaning: String {
        switch self {
        case .mixWithOthers: "Audio mixes with that of other apps."
        case .duckOthers: "Audio mixes with that of other apps, which becomes quieter."
        case .interruptSpokenAudioAndMixWithOthers: "Audio mixes with that of other apps, and pauses their speech."
        case .allowBluetooth, .allowBluetoothA2DP, .allowAirPlay, .defaultToSpeaker,
            .overrideMutedMicrophoneInterruption:
            "No effect in this model."
        }
    }

    /// True if audio mixes with that of other apps.
    var mixes: Bool { [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers].contains(self) }
}

/// The moment at which an app activates its audio session.
package enum AudioSessionActivation: String, FieldChoice {
    case atLaunch = "at-launch"
    case atPlay = "at-play"
    case never

    package var meaning: String {
        switch self {
        case .atLaunch: "When the app starts."
        case .atPlay: "Before each playback."
        case .never: "Never: the platform activates it when playback begins, if it does that."
        }
    }
}
