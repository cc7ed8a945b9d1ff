package import Fetch
internal import Timeline

/// Names one item in a session; never used twice.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counts up from 1.
    package let number: Int

    /// The name of the item with this number.
    package init(_ number: Int) { self.number = number }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.number < right.number }

    package var description: String { "item-\(number)" }
}

/// What an item's media were seen to have.
package struct ItemTracks: Sendable, Equatable {
    /// Whether there is a picture; a still one that is sent as video counts.
    package var hasVideo: Bool

    /// Whether there is sound.
    package var hasAudio: Bool

    /// Tracks.
    package init(hasVideo: Bool, hasAudio: Bool) {
        self.hasVideo = hasVideo
        self.hasAudio = hasAudio
    }

    /// What either has.
    func union(_ other: ItemTracks) -> ItemTracks {
        ItemTracks(hasVideo: hasVideo || other.hasVideo, hasAudio: hasAudio || other.hasAudio)
    }
}

/// Why an item failed, or a request did.
package struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a code counts in.
    package enum Domain: String, Sendable {
        /// HTTP status codes.
        case http = "HTTP"
        /// Codes of `NSURLErrorDomain`.
        case network = "NSURLErrorDomain"
        /// ``PlaybackError/PlaylistCode``.
        case playlist = "Playlist"
        /// 1: the bytes are not media that can be read.
        case media = "Media"
        /// 1: the platform refused the item.
        case platform = "Platform"
    }

    /// What is wrong with a playlist.
    package enum PlaylistCode: Int, Sendable {
        /// It cannot be read.
        case unreadable = 1
        /// It has no segments.
        case empty = 2
        /// It may still grow.
        case live = 3
        /// It is encrypted.
        case encrypted = 4
        /// No variant can be played.
        case noVariant = 5
        /// It names a playlist where it should name segments.
        case nested = 6
    }

    /// What ``code`` counts in.
    package let domain: Domain

    /// The kind of failure.
    package let code: Int

    /// One line that says what is wrong with what.
    package let message: String

    /// An error.
    package init(_ domain: Domain, _ code: Int, _ message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// An error about a playlist.
    init(_ code: PlaylistCode, _ message: String) { self.init(.playlist, code.rawValue, message) }

    package var description: String { "\(domain.rawValue) \(code): \(message)" }
}

/// A resource that came whole, as the player got it.
package struct DeliveredResource: Sendable, Equatable {
    /// What it is to the player.
    package enum Kind: Sendable, Equatable {
        /// A playlist of either kind.
        case playlist
        /// An initialization section.
        case map
        /// A segment: its number in the playlist from 0, where it lies on the item's timeline, the initialization
        /// section it needs, and whether its timestamps begin anew.
        case segment(number: Int, start: Duration, duration: Duration, map: MapAddress?, startsDiscontinuity: Bool)
    }

    /// The item that it belongs to.
    package let item: ItemID

    /// The stream of that item.
    package let stream: StreamRole

    /// What it is.
    package let kind: Kind

    /// The URL that was asked for.
    package let url: String

    /// The part that was asked for; nil for the whole.
    package let range: FetchRange?

    /// Its bytes.
    package let bytes: [UInt8]
}

/// Where an initialization section is.
package struct MapAddress: Sendable, Hashable {
    /// Its absolute URL.
    package let url: String

    /// The part of the resource; nil for the whole.
    package let range: FetchRange?
}

/// One of the streams that an item is made of.
package enum StreamRole: String, Sendable {
    /// The variant's own.
    case main
    /// A separate audio rendition.
    case audio
}

/// A change that the app is told of.
package enum PlayerNotice: Sendable, Equatable {
    case itemReady(ItemID)
    case itemFailed(ItemID)
    case itemPlayedToEnd(ItemID)
    case itemFailedToPlayToEnd(ItemID)
    case itemStalled(ItemID)
    case itemTimeJumped(ItemID)
    case seekEnded(SeekID, isFinished: Bool)
    case currentItem(ItemID?)
    case timeControl(TimeControl)
}

/// Names one seek in a session.
package struct SeekID: Hashable, Sendable {
    /// Counts up from 1.
    package let number: Int
}

/// Whether the player plays.
package enum TimeControl: Sendable, Equatable {
    case paused
    case waiting(WaitingReason)
    case playing

    var name: String {
        switch self {
        case .paused: "paused"
        case .waiting: "waiting"
        case .playing: "playing"
        }
    }

    var waitingFor: String { if case .waiting(let reason) = self { reason.rawValue } else { "" } }
}

/// What the player waits for.
package enum WaitingReason: String, Sendable {
    case noItemToPlay
    /// It is not known yet how fast media load.
    case evaluatingBufferingRate
    case toMinimizeStalls
    /// The media service has not begun to play the item yet: what the platform profile's latencies stand for.
    case mediaService
}

/// Where players, items and clients leave what is to be done and told.
struct PlayerOutput: Sendable {
    var effects: [SessionEffect] = []
    var notices: [PlayerNotice] = []
    private var fetches = 0

    mutating func log(_ kind: EventKind) { effects.append(.log(kind)) }

    mutating func notify(_ notice: PlayerNotice) { notices.append(notice) }

    /// Begins a request and returns its name.
    mutating func fetch(_ resource: String, _ make: (FetchID) -> FetchRequest) -> FetchID {
        fetches += 1
        let request = make(FetchID(fetches))
        log(.requestBegan(request: fetches, url: request.url, resource: resource))
        effects.append(.fetch(request))
        return request.id
    }

    mutating func cancel(_ id: FetchID) {
        log(.requestCancelled(request: id.number))
        effects.append(.cancel(id))
    }
}
