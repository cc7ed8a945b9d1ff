package import SegueFetch

/// The playlists of an item's renditions.
package struct ItemAddress: Sendable, Equatable {
    /// The playlist of the full rendition.
    package let full: String

    /// The playlist of the audio alone.
    package let background: String?

    /// The multivariant playlist, with the audio as a separate rendition.
    package let multivariant: String?

    package init(full: String, background: String? = nil, multivariant: String? = nil) {
        self.full = full
        self.background = background
        self.multivariant = multivariant
    }

    /// The playlist of a rendition; nil if there is none.
    func url(_ rendition: ItemRendition, as stream: AppProfile.Stream) -> String? {
        switch (rendition, stream) {
        case (.background, _): background
        case (.full, .single): full
        case (.full, .multivariant): multivariant ?? full
        }
    }
}

/// An audio output.
package enum AudioRoute: String, Sendable, CaseIterable {
    case speaker
    /// Headphones, or another device that is plugged in or worn.
    case headphones
    /// An external screen over the network.
    case airplay
}

/// A command of the user, the app, or the device, or of a scenario in their place.
package enum SessionCommand: Sendable, Equatable {
    /// Appends items to the queue, without playing.
    case open([ItemAddress])
    /// Inserts an item behind another one; nil appends it.
    case insert(ItemAddress, after: ItemID?)
    /// Inserts an item of a URL.
    case insertItem(NewItem)
    /// Inserts an item again that is or was in the queue, behind another one; nil appends it.
    case insertAgain(ItemID, after: ItemID?)
    case remove(ItemID)
    case removeAll
    case advance
    case play
    case pause
    case setRate(Double)
    /// The rate of `play`, on platforms that have this setting.
    case setDefaultRate(Double)
    /// Plays without waiting for the buffer.
    case playImmediately
    /// Moves the playhead. A tolerance of nil is infinite.
    case seek(to: Duration, toleranceBefore: Duration?, toleranceAfter: Duration?)
    /// Scans the current item at a multiple of normal speed, negative for backward.
    case scan(Double)
    case endScan
    /// Cancels the seek in progress.
    case cancelSeeks
    case setActionAtItemEnd(QueuePlayer.EndAction)
    case setWaitsToMinimizeStalls(Bool)
    /// The maximum bit rate of variants, in bits per second; 0 for no limit.
    case setPeakBitrate(Int)
    /// The buffer to maintain; zero leaves it to the platform.
    case setForwardBuffer(Duration)
    /// Enables or disables the video of the current item.
    case setVideoEnabled(Bool)
    /// Deselects the video rendition of the current item, or selects it again.
    case setVideoWanted(Bool)
    case detachLayer
    case attachLayer
    /// Begins or ends a background task.
    case beginTask
    case endTask
    /// Leaves the app for the home screen.
    case goHome
    /// Locks the device with the app in front.
    case lock
    /// Returns to the app, or unlocks the device.
    case comeBack
    /// Begins an interruption, such as a call.
    case interrupt
    case endInterruption(shouldResume: Bool)
    /// Changes the audio output.
    case changeRoute(AudioRoute)
    /// Sends the app a command from outside of it.
    case remote(RemoteCommand, from: RemoteSender)
    /// Moves the app's slider, whose target the app seeks to as soon as its item is ready.
    case slide(to: Duration)
    /// Restarts the media services. Existing players and items become unusable.
    case resetMediaServices
    /// Sets the Ring/Silent switch.
    case setSilentSwitch(Bool)
    /// Begins the audio of another app.
    case beginOtherAudio(mixes: Bool)
    case endOtherAudio(shouldResume: Bool)
    /// Changes the app's audio session, unless the platform refuses the settings.
    case setAudioSession(AudioSessionSettings)
    case setAudioSessionActive(Bool)
}

extension SessionCommand {
    /// True if it comes from the user or the device, and not from the app's code.
    var isOfDevice: Bool {
        switch self {
        case .goHome, .lock, .comeBack, .interrupt, .endInterruption, .changeRoute, .remote, .resetMediaServices,
            .setSilentSwitch, .beginOtherAudio, .endOtherAudio:
            true
        case .open, .insert, .insertItem, .insertAgain, .remove, .removeAll, .advance, .play, .pause, .setRate,
            .setDefaultRate, .playImmediately, .seek, .scan, .endScan, .cancelSeeks, .setActionAtItemEnd,
            .setWaitsToMinimizeStalls, .setPeakBitrate, .setForwardBuffer, .setVideoEnabled, .setVideoWanted,
            .detachLayer, .attachLayer, .beginTask, .endTask, .setAudioSession, .setAudioSessionActive, .slide:
            false
        }
    }
}

package enum SessionInput: Sendable {
    case fetch(FetchEvent)
    case timer(Int)
    case command(SessionCommand)
}
