package import SegueFetch

/// Where an item's renditions are.
package struct ItemAddress: Sendable, Equatable {
    /// The playlist of all of it.
    package let full: String

    /// The playlist of its sound alone; nil when there is none.
    package let background: String?

    /// The multivariant playlist, with the sound as a rendition of its own; nil when there is none.
    package let multivariant: String?

    /// The addresses of an item.
    package init(full: String, background: String? = nil, multivariant: String? = nil) {
        self.full = full
        self.background = background
        self.multivariant = multivariant
    }

    /// The playlist of a rendition; nil when there is none.
    func url(_ rendition: ItemRendition, as stream: AppProfile.Stream) -> String? {
        switch (rendition, stream) {
        case (.background, _): background
        case (.full, .single): full
        case (.full, .multivariant): multivariant ?? full
        }
    }
}

/// Where sound comes out.
package enum AudioRoute: String, Sendable, CaseIterable {
    case speaker
    /// Headphones, or anything else that is plugged in or worn.
    case headphones
    /// An external screen over the network.
    case airplay
}

/// What the user, the app or the device does, or a scenario in their place.
package enum SessionCommand: Sendable, Equatable {
    /// Puts items at the end of the queue, without playing.
    case open([ItemAddress])
    /// Puts an item behind another one; nil for the end of the queue.
    case insert(ItemAddress, after: ItemID?)
    /// Puts an item of a URL into the queue.
    case insertItem(NewItem)
    /// Puts an item that was in the queue before, or is in it still, behind another one again; nil for the end of the queue.
    case insertAgain(ItemID, after: ItemID?)
    case remove(ItemID)
    case removeAll
    case advance
    case play
    case pause
    case setRate(Double)
    /// The rate that `play` takes where the platform has such a setting.
    case setDefaultRate(Double)
    /// Plays without waiting for enough to be buffered.
    case playImmediately
    /// Moves the playhead; a tolerance that is nil is infinite.
    case seek(to: Duration, toleranceBefore: Duration?, toleranceAfter: Duration?)
    /// Scans the current item so many times as fast as normal, below zero for backward.
    case scan(Double)
    case endScan
    /// Ends the seek in progress where the playhead was.
    case cancelSeeks
    case setActionAtItemEnd(QueuePlayer.EndAction)
    case setWaitsToMinimizeStalls(Bool)
    /// The most that a variant may take, in bits per second; 0 for no limit.
    case setPeakBitrate(Int)
    /// How much is to be buffered ahead; zero leaves it to the platform.
    case setForwardBuffer(Duration)
    /// Enables or disables the current item's picture.
    case setVideoEnabled(Bool)
    /// Lets go of the video rendition of the current item, or takes it up again.
    case setVideoWanted(Bool)
    case detachLayer
    case attachLayer
    /// The app asks to run on in the background, or needs that no longer.
    case beginTask
    case endTask
    /// Leaves the app for the home screen.
    case goHome
    /// Locks the device with the app in front.
    case lock
    /// Comes back to the app, or unlocks the device.
    case comeBack
    /// Something else, such as a call, takes the sound.
    case interrupt
    /// That is over; whether the app is told that it should go on.
    case endInterruption(shouldResume: Bool)
    /// The sound goes elsewhere.
    case changeRoute(AudioRoute)
    /// The media service dies and is started anew; players and items made before are of no use.
    case resetMediaServices
}

/// What goes into a session.
package enum SessionInput: Sendable {
    case fetch(FetchEvent)
    case timer(Int)
    case command(SessionCommand)
}
