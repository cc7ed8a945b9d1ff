package import SegueData

extension PlayerAct {
    /// The availability of an act on Apple's players, by Apple's documentation of the method or property behind it.
    package enum Availability: Sendable, Equatable {
        /// Since the first version of the player.
        case always
        /// Since a version of the system, with the method or property.
        case since(SystemVersion, String)
        /// Not at all, since the player has no such method or property.
        case never(String)
    }

    /// The availability on a kind of player.
    package func availability(on player: PlatformProfile.PlayerKind) -> Availability {
        switch player {
        case .moviePlayer: availabilityOnMoviePlayer
        case .queuePlayer: availabilityOnQueuePlayer
        }
    }

    private var availabilityOnMoviePlayer: Availability {
        switch self {
        case .open(let items) where (items.count ?? 1) > 1: .never("it has no queue")
        // The controls of the player itself pause, seek, and stop.
        case .open, .play, .pause, .removeAll: .always
        case .seek(_, .exact, .exact): .always
        case .seek: .never("its seeks have no tolerance")
        case .rate: .since(SystemVersion("iOS", 3, 2), "MPMediaPlayback.currentPlaybackRate")
        case .scan, .endScan: .since(SystemVersion("iOS", 3, 2), "MPMediaPlayback.beginSeekingForward()")
        case .insert, .remove, .insertAgain, .advance: .never("it has no queue")
        case .endAction: .never("it has no action at the end of an item")
        case .playImmediately, .minimizeStalls, .forwardBuffer: .never("the app does not control its buffer")
        case .defaultRate: .never("it has no default rate")
        case .cancelSeeks: .never("its seeks cannot be canceled")
        case .video: .never("its tracks cannot be disabled")
        case .layer: .never("its layer is private")
        case .peakBitrate: .never("it has no maximum bit rate")
        }
    }

    private var availabilityOnQueuePlayer: Availability {
        switch self {
        case .open, .insert, .remove, .insertAgain, .removeAll, .advance, .play, .pause, .rate, .seek, .endAction,
            .video, .layer:
            .always
        case .cancelSeeks: .since(SystemVersion("iOS", 5), "AVPlayerItem.cancelPendingSeeks()")
        case .scan, .endScan: .since(SystemVersion("iOS", 5), "AVPlayerItem.canPlayFastForward")
        case .peakBitrate: .since(SystemVersion("iOS", 8), "AVPlayerItem.preferredPeakBitRate")
        case .forwardBuffer: .since(SystemVersion("iOS", 10), "AVPlayerItem.preferredForwardBufferDuration")
        case .minimizeStalls: .since(SystemVersion("iOS", 10), "AVPlayer.automaticallyWaitsToMinimizeStalling")
        case .playImmediately: .since(SystemVersion("iOS", 10), "AVPlayer.playImmediately(atRate:)")
        case .defaultRate: .since(SystemVersion("iOS", 16), "AVPlayer.defaultRate")
        }
    }
}
