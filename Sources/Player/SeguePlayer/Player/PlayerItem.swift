internal import SeguePlayerModel

/// An item of a player: a playlist, or a file.
@MainActor public final class PlayerItem {
    /// Whether it can be played.
    public enum Status: Sendable, Equatable {
        /// Too little of it has come to tell, or no player has taken it.
        case unknown
        /// Its tracks are known, and it can be played.
        case readyToPlay
        /// For good: a new item is needed.
        case failed
    }

    /// Its address.
    public let url: String

    /// Where it begins; nil leaves that to its playlist.
    public let start: Duration?

    /// Whether it begins exactly there, not at the start of that segment.
    public let startsExactly: Bool

    /// What the model calls it; nil while no player has taken it.
    private(set) var id: ItemID?
    private var engine: PlayerEngine?

    /// Those who are told when a property becomes another value.
    let observed = ObservedValues()

    /// An item that no player has taken.
    ///
    /// - Parameters:
    ///   - url: Its address, such as `http://server/film.m3u8`.
    ///   - start: Where it begins; nil leaves that to its playlist.
    ///   - isExact: Whether it begins exactly there, and not at the start of that segment, for which less is loaded.
    public init(url: String, startingAt start: Duration? = nil, exactly isExact: Bool = true) {
        (self.url, self.start, startsExactly) = (url, start, isExact)
    }

    /// A player has taken it.
    func isTaken(as id: ItemID, by engine: PlayerEngine) {
        (self.id, self.engine) = (id, engine)
        observed.wasAdded = { engine.isObserved = true }
        if observed.number > 0 { engine.isObserved = true }
    }

    /// Whether it is of that engine's player.
    func isOf(_ engine: PlayerEngine) -> Bool { self.engine === engine }

    func model<Value>(_ value: (SeguePlayerModel.PlayerItem) -> Value) -> Value? {
        id.flatMap { engine?.session.player.item($0) }.map(value)
    }

    /// Whether it can be played.
    public var status: Status {
        switch model(\.status) {
        case .readyToPlay: .readyToPlay
        case .failed: .failed
        case .unknown, nil: .unknown
        }
    }

    /// Why it failed, or will when its buffer has been used up, in one line; nil when it did not.
    public var error: String? { model { $0.error?.description } ?? nil }

    /// How long it is; nil until that is known, and while it may grow.
    public var duration: Duration? { model(\.duration) ?? nil }

    /// Whether it has pictures; nil until that is known.
    public var hasVideo: Bool? { model { $0.tracks?.hasVideo } ?? nil }

    /// Whether nothing is buffered at the playhead.
    public var isPlaybackBufferEmpty: Bool { model(\.isBufferEmpty) ?? true }

    /// Whether playback would go on without a stall.
    public var isPlaybackLikelyToKeepUp: Bool { model(\.isLikelyToKeepUp) ?? false }

    /// Whether loading rests because enough is buffered.
    public var isPlaybackBufferFull: Bool { model(\.isBufferFull) ?? false }

    /// What is buffered without a gap from the playhead on, or from where a seek lands: one stretch, or none.
    ///
    /// What was played is let go of.
    public var loadedTimeRanges: [Range<Duration>] { (model { $0.loaded } ?? nil).map { [$0] } ?? [] }

    /// What may be sought: from the beginning to the end, or what of a live stream the server still has.
    public var seekableTimeRanges: [Range<Duration>] { (model { $0.seekable } ?? nil).map { [$0] } ?? [] }

    /// How much is buffered without a gap from the playhead of the current item.
    public var buffered: Duration {
        guard let id, let engine, let item = engine.session.player.item(id) else { return .zero }
        let isCurrent = engine.session.player.current?.id == id
        let playhead = isCurrent ? engine.position : item.position
        return max(.zero, item.bufferedEnd - playhead)
    }

    /// What it loaded and played, a stretch an event, the oldest first.
    public var accessLog: [AccessLogEvent] {
        guard let id, let engine else { return [] }
        return engine.session.journal(of: id, at: engine.now).access.map(AccessLogEvent.init)
    }

    /// What went wrong with it, the oldest first.
    public var errorLog: [ErrorLogEvent] { model { $0.journal.errors.map(ErrorLogEvent.init) } ?? [] }
}
