/// A category of an audio session (`AVAudioSession.Category`).
package enum AudioSessionCategory: String, SpelledChoice {
    case ambient, soloAmbient, playback, record, playAndRecord, multiRoute

    package var meaning: String {
        switch self {
        case .ambient: "Audio that is not essential, and mixes with that of other apps."
        case .soloAmbient: "Audio that is not essential. The category of an app that sets none."
        case .playback: "Audio that is essential to the app."
        case .record: "Recording without playback."
        case .playAndRecord: "Recording and playback."
        case .multiRoute: "Separate audio streams to several outputs."
        }
    }

    package var spellings: [String] {
        let constant = "AVAudioSessionCategory" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        return [constant] + (sessionServicesName.map { ["kAudioSessionCategory_" + $0] } ?? [])
    }

    /// The end of the constant of Audio Session Services, the C interface before iOS 7; nil without one.
    private var sessionServicesName: String? {
        switch self {
        case .ambient: "AmbientSound"
        case .soloAmbient: "SoloAmbientSound"
        case .playback: "MediaPlayback"
        case .record: "RecordAudio"
        case .playAndRecord: "PlayAndRecord"
        case .multiRoute: nil
        }
    }

    /// True if the category plays audio.
    var hasOutput: Bool { self != .record }

    /// True if an app can choose to mix its audio with that of other apps.
    var isMixingOptional: Bool { [.playback, .playAndRecord, .multiRoute].contains(self) }
}
