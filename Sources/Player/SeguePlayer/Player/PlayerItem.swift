internal import SeguePlayerModel

/// An item of a player: a playlist, or a file.
@MainActor public final class PlayerItem {
    /// The status of an item.
    public enum Status: Sendable, Equatable {
        /// Too little has loaded, or the item is not in a queue.
        case unknown
        /// The tracks are known, and the item can play.
        case readyToPlay
        /// The item failed permanently. A new item is needed.
        case failed
    }

    /// The URL of the playlist or file.
    public let url: String

    /// The start position; nil for the position in the playlist.
    public let start: Duration?

    /// True if playback starts exactly at ``start``, and not at the start of that segment.
    public let startsExactly: Bool

    /// The header fields that the app adds to all requests of the item, such as a cookie.
    ///
    /// An AirPlay receiver, which loads items itself, does not send them.
    public let headers: [String: String]

    /// The item's identity in the model; nil before a player accepts it.
    private(set) var id: ItemID?
    private var engine: PlayerEngine?

    /// The observers of its properties.
    let observed = ObservedValues()

    /// Creates an item that is not in a queue.
    ///
    /// - Parameters:
    ///   - url: The URL, such as `http://server/film.m3u8`.
    ///   - start: The start position; nil for the position in the playlist.
    ///   - isExact: True if playback starts exactly there, and not at the start of that segment, for which less is
    ///     loaded.
    ///   - headers: The header fields that the app adds to all requests of the item.
    public init(
        url: String,
        startingAt start: Duration? = nil,
        exactly isExact: Bool = true,
        headers: [String: String] = [:]
    ) {
        (self.url, self.start, startsExactly, self.headers) = (url, start, isExact, headers)
    }

    /// Handles acceptance by a player.
    func isTaken(as id: ItemID, by engine: PlayerEngine) {
        (self.id, self.engine) = (id, engine)
        observed.wasAdded = { engine.isObserved = true }
        if observed.number > 0 { engine.isObserved = true }
    }

    /// Returns whether the item belongs to the player of an engine.
    func isOf(_ engine: PlayerEngine) -> Bool { self.engine === engine }

    func model<Value>(_ value: (SeguePlayerModel.PlayerItem) -> Value) -> Value? {
        id.flatMap { engine?.session.player.item($0) }.map(value)
    }

    /// The status of the item.
    public var status: Status {
        switch model(\.status) {
        case .readyToPlay: .readyToPlay
        case .failed: .failed
        case .unknown, nil: .unknown
        }
    }

    /// The error that the item failed with, or will fail with when its buffer runs out, in one line.
    public var error: String? { model { $0.reportedError?.description } ?? nil }

    /// The domain of the ``error``: on an Apple platform, that of a device, such as `AVFoundationErrorDomain`.
    public var errorDomain: String? { model { $0.reportedError?.domain.rawValue } ?? nil }

    /// The code of the ``error`` in its domain.
    public var errorCode: Int? { model { $0.reportedError?.code } ?? nil }

    /// The duration; nil until it is known, and for a live item.
    public var duration: Duration? { model(\.duration) ?? nil }

    /// True if the item has video; nil until it is known.
    public var hasVideo: Bool? { model { $0.tracks?.hasVideo } ?? nil }

    /// True if nothing is buffered at the playhead.
    public var isPlaybackBufferEmpty: Bool { model(\.isBufferEmpty) ?? true }

    /// True if playback is likely to continue without a stall.
    public var isPlaybackLikelyToKeepUp: Bool { model(\.isLikelyToKeepUp) ?? false }

    /// True if loading is paused because enough is buffered.
    public var isPlaybackBufferFull: Bool { model(\.isBufferFull) ?? false }

    /// The contiguous buffer from the playhead, or from the position of a seek: one range, or none.
    ///
    /// Played media are released.
    public var loadedTimeRanges: [Range<Duration>] { (model { $0.loaded } ?? nil).map { [$0] } ?? [] }

    /// The seekable range: the whole item, or the part of a live stream that the server still has.
    public var seekableTimeRanges: [Range<Duration>] { (model { $0.seekable } ?? nil).map { [$0] } ?? [] }

    /// The contiguous buffer ahead of the playhead of the current item.
    public var buffered: Duration {
        guard let id, let engine, let item = engine.session.player.item(id) else { return .zero }
        let isCurrent = engine.session.player.current?.id == id
        let playhead = isCurrent ? engine.position : item.position
        return max(.zero, item.bufferedEnd - playhead)
    }

    /// The access log, one event per stretch of playback, oldest first.
    public var accessLog: [AccessLogEvent] {
        guard let id, let engine else { return [] }
        return engine.session.journal(of: id, at: engine.now).access.map(AccessLogEvent.init)
    }

    /// The error log, oldest first.
    public var errorLog: [ErrorLogEvent] { model { $0.journal.errors.map(ErrorLogEvent.init) } ?? [] }
}
