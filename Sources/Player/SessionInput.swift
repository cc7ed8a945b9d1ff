package import Fetch

/// Where an item's renditions are.
package struct ItemAddress: Sendable, Equatable {
    /// The playlist of all of it.
    package let full: String

    /// The playlist of its sound alone; nil when there is none.
    package let background: String?

    /// The addresses of an item.
    package init(full: String, background: String? = nil) {
        self.full = full
        self.background = background
    }

    /// The playlist of a rendition; nil when there is none.
    func url(_ rendition: ItemRendition) -> String? {
        switch rendition {
        case .full: full
        case .background: background
        }
    }
}

/// What the user, or a scenario in the user's place, does.
package enum SessionCommand: Sendable, Equatable {
    /// Puts items at the end of the queue, without playing.
    case open([ItemAddress])
    case play
    case pause
    case setRate(Double)
    /// Plays without waiting for enough to be buffered.
    case playImmediately
    /// Moves the playhead; a tolerance that is nil is infinite.
    case seek(to: Duration, toleranceBefore: Duration?, toleranceAfter: Duration?)
    case advance
    /// Leaves the app for the home screen.
    case goHome
    /// Locks the device with the app in front.
    case lock
    /// Comes back to the app, or unlocks the device.
    case comeBack
}

/// What goes into a session.
package enum SessionInput: Sendable {
    case fetch(FetchEvent)
    case timer(Int)
    case command(SessionCommand)
}
