internal import SeguePlayerModel

/// The audio session of the app under test.
///
/// Its calls mean the same as those of `AVAudioSession`. Whether audio is heard behind a locked screen, in the
/// background, with the Ring/Silent switch set to silent, or beside other apps follows from the category and the
/// options, as the platform documents it.
@MainActor public final class AudioSession {
    /// A category, with the names of `AVAudioSession.Category`.
    public enum Category: String, Sendable, CaseIterable {
        /// Audio that is not essential, and mixes with that of other apps.
        case ambient
        /// Audio that is not essential. The category of an app that sets none.
        case soloAmbient
        /// Audio that is essential to the app.
        case playback
        /// Recording without playback.
        case record
        /// Recording and playback.
        case playAndRecord
        /// Separate audio streams to several outputs.
        case multiRoute
    }

    /// A mode, with the names of `AVAudioSession.Mode`.
    public enum Mode: String, Sendable, CaseIterable {
        /// No special use.
        case `default`
        /// A use for which the platform adapts its audio processing.
        case moviePlayback, spokenAudio, voicePrompt, voiceChat, videoChat, gameChat, videoRecording, measurement
    }

    /// Options of a category, with the names of `AVAudioSession.CategoryOptions`.
    public struct CategoryOptions: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt

        /// Creates options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Audio mixes with that of other apps.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Audio mixes with that of other apps, which becomes quieter.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Bluetooth devices for calls are available.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Audio plays on the speaker by default.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Audio mixes with that of other apps, and pauses their speech.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Bluetooth devices for music are available.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// AirPlay devices are available.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// A muted microphone does not interrupt the session.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// The category, the mode, and the options of a session.
    public struct Configuration: Sendable, Hashable {
        /// The effect of other audio, the silent switch, and the background on the app's audio.
        public var category: Category
        /// The use of the audio, such as a film or a call.
        public var mode: Mode
        /// The behavior toward the audio of other apps.
        public var options: CategoryOptions

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - category: The category.
        ///   - mode: The mode, which the category must allow.
        ///   - options: The options, which the category must allow.
        public init(category: Category, mode: Mode = .default, options: CategoryOptions = []) {
            (self.category, self.mode, self.options) = (category, mode, options)
        }
    }

    private let engine: PlayerEngine

    init(_ engine: PlayerEngine) { self.engine = engine }

    /// The configuration now.
    public var configuration: Configuration { Configuration(engine.session.audioSessionSettings) }

    /// The category now.
    public var category: Category { configuration.category }

    /// The mode now.
    public var mode: Mode { configuration.mode }

    /// The options now.
    public var categoryOptions: CategoryOptions { configuration.options }

    /// True if the session is active.
    public var isActive: Bool { engine.session.isAudioSessionActive }

    /// True if another app plays audio.
    public var isOtherAudioPlaying: Bool { engine.session.isOtherAudioPlaying }

    /// True if this session lowers the volume of the other app's audio: it is active, and has the option
    /// `duckOthers`.
    public var isOtherAudioDucked: Bool { engine.session.isOtherAudioDucked }

    /// Changes the configuration.
    ///
    /// - Parameters:
    ///   - category: The category.
    ///   - mode: The mode, which the category must allow.
    ///   - options: The options, which the category must allow.
    /// - Throws: ``AudioSessionError/refused(_:)`` if the platform does not have the values or their combination. The
    ///   configuration stays as it was.
    public func setCategory(_ category: Category, mode: Mode = .default, options: CategoryOptions = [])
        throws(AudioSessionError)
    {
        let settings = Configuration(category: category, mode: mode, options: options).settings
        engine.send(.setAudioSession(settings))
        if let refusal = engine.session.refusal(of: settings) { throw .refused(refusal.problem) }
    }

    /// Activates or deactivates the session.
    ///
    /// Playback activates it as well, on platforms that do so.
    ///
    /// - Parameter isActive: True to activate it, false to deactivate it.
    /// - Throws: ``AudioSessionError/isBusy`` if audio was playing, which stops; the session is inactive then.
    ///   ``AudioSessionError/cannotInterruptOthers`` if the app is in the background and another app plays.
    public func setActive(_ isActive: Bool) throws(AudioSessionError) {
        let session = engine.session
        if isActive, session.isOtherAudioInFront { throw .cannotInterruptOthers }
        let isPlaying = session.player.timeControl != .paused
        engine.send(.setAudioSessionActive(isActive))
        if !isActive, isPlaying { throw .isBusy }
    }
}

/// An error of an audio session.
public enum AudioSessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The platform does not have the values, or does not allow their combination, for this reason.
    case refused(String)
    /// Audio was playing when the session was deactivated (`AVAudioSession.ErrorCode.isBusy`).
    case isBusy
    /// The app is in the background and may not interrupt another one (`…cannotInterruptOthers`).
    case cannotInterruptOthers

    /// The error in a sentence.
    public var description: String {
        switch self {
        case .refused(let reason): reason
        case .isBusy: "audio was playing when the session was deactivated; it has stopped"
        case .cannotInterruptOthers: "an app in the background cannot interrupt the audio of another app"
        }
    }
}

extension AudioSession.Configuration {
    /// The same values in the model, whose names are the same.
    var settings: AudioSessionSettings {
        AudioSessionSettings(
            category: AudioSessionCategory(rawValue: category.rawValue) ?? .soloAmbient,
            mode: AudioSessionMode(rawValue: mode.rawValue) ?? .standard,
            options: AudioSessionOption.allCases.filter { option in
                options.isSuperset(of: AudioSession.CategoryOptions(option))
            }
        )
    }

    init(_ settings: AudioSessionSettings) {
        self.init(
            category: AudioSession.Category(rawValue: settings.category.rawValue) ?? .soloAmbient,
            mode: AudioSession.Mode(rawValue: settings.mode.rawValue) ?? .default,
            options: settings.options.reduce(into: []) { $0.formUnion(AudioSession.CategoryOptions($1)) }
        )
    }
}

extension AudioSession.CategoryOptions {
    fileprivate init(_ option: AudioSessionOption) {
        switch option {
        case .mixWithOthers: self = .mixWithOthers
        case .duckOthers: self = .duckOthers
        case .interruptSpokenAudioAndMixWithOthers: self = .interruptSpokenAudioAndMixWithOthers
        case .allowBluetooth: self = .allowBluetooth
        case .allowBluetoothA2DP: self = .allowBluetoothA2DP
        case .allowAirPlay: self = .allowAirPlay
        case .defaultToSpeaker: self = .defaultToSpeaker
        case .overrideMutedMicrophoneInterruption: self = .overrideMutedMicrophoneInterruption
        }
    }
}
