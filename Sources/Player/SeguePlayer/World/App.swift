internal import SeguePlayerModel

/// The properties of the app under test that the platform uses.
public struct App: Sendable {
    /// A kind of player.
    public enum Player: String, Sendable {
        /// `AVQueuePlayer`, and its equivalents on other platforms.
        case queue = "queue-player"
        /// `MPMoviePlayerController`, which plays one item and has no queue.
        case movie = "movie-player"
    }

    /// A policy for items with video in the background (`audiovisualBackgroundPlaybackPolicy`).
    public enum BackgroundPlaybackPolicy: String, Sendable {
        /// The platform decides.
        case automatic
        /// The item pauses.
        case pauses
        /// The item continues if the platform allows it.
        case continuesIfPossible = "continues-if-possible"
    }

    /// A service of an app in the background, as `UIBackgroundModes` in Info.plist names it.
    ///
    /// Only ``audio`` affects playback.
    public enum BackgroundMode: String, Sendable, CaseIterable {
        /// The app plays audio in the background.
        case audio
        /// A service other than audio.
        case location, voip, fetch, processing
        /// A service with a hyphen in its name.
        case remoteNotification = "remote-notification", externalAccessory = "external-accessory"
        /// A service with a hyphen in its name.
        case bluetoothCentral = "bluetooth-central", bluetoothPeripheral = "bluetooth-peripheral"
        /// A service with a hyphen in its name.
        case newsstandContent = "newsstand-content"
    }

    /// The kind of player.
    public var player: Player

    /// The policy for items with video in the background, on platforms that have one.
    public var backgroundPlaybackPolicy: BackgroundPlaybackPolicy

    /// True if the app runs a foreground service while it plays in the background, on platforms that have such
    /// services.
    public var hasForegroundService: Bool

    /// True if the app has a video layer.
    public var hasLayer: Bool

    /// The background modes in the app's Info.plist.
    public var backgroundModes: [BackgroundMode]

    /// The audio session when the app starts, which ``AudioSession/setCategory(_:mode:options:)`` changes.
    ///
    /// An app that sets nothing has `.init(category: .soloAmbient)`.
    public var audioSession: AudioSession.Configuration

    /// Creates the properties of an app.
    ///
    /// - Parameters:
    ///   - player: The kind of player.
    ///   - backgroundPlaybackPolicy: The policy for items with video in the background.
    ///   - hasForegroundService: True if the app runs a foreground service while it plays in the background.
    ///   - hasLayer: True if the app has a video layer.
    ///   - backgroundModes: The background modes in the app's Info.plist.
    ///   - audioSession: The audio session when the app starts.
    public init(
        player: Player = .queue,
        backgroundPlaybackPolicy: BackgroundPlaybackPolicy = .automatic,
        hasForegroundService: Bool = true,
        hasLayer: Bool = true,
        backgroundModes: [BackgroundMode] = [.audio],
        audioSession: AudioSession.Configuration = .init(category: .playback)
    ) {
        (self.player, self.backgroundPlaybackPolicy) = (player, backgroundPlaybackPolicy)
        (self.hasForegroundService, self.hasLayer) = (hasForegroundService, hasLayer)
        (self.backgroundModes, self.audioSession) = (backgroundModes, audioSession)
    }

    /// The same properties in the model.
    var traits: AppTraits {
        AppTraits(
            player: PlatformProfile.PlayerKind(rawValue: player.rawValue) ?? .queuePlayer,
            playbackPolicy: PlatformProfile.PlaybackPolicy(rawValue: backgroundPlaybackPolicy.rawValue) ?? .automatic,
            hasForegroundService: hasForegroundService,
            hasLayer: hasLayer,
            declarations: declarations
        )
    }

    /// The declarations in the model.
    ///
    /// The app's own code activates the session, or playback does.
    var declarations: AppDeclarations {
        get {
            AppDeclarations(
                backgroundModes: backgroundModes.compactMap { SeguePlayerModel.BackgroundMode(rawValue: $0.rawValue) },
                session: audioSession.settings,
                activation: .never
            )
        }
        set {
            backgroundModes = newValue.backgroundModes.compactMap { BackgroundMode(rawValue: $0.rawValue) }
            audioSession = AudioSession.Configuration(newValue.session)
        }
    }
}
