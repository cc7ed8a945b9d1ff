internal import SegueBase

/// Where a live stream ends, and how far from that it is to be played.
struct LiveEdge: Sendable {
    /// How many target durations a server may be late until its stream is no longer supposed to grow.
    private static let mostLate = 3

    /// Where it is supposed to end by now: what is named, and as much as time has passed since that was news.
    let supposed: Duration

    /// Where it is joined as it is now.
    let join: Duration

    /// How far from its end it is joined.
    let distance: Duration

    /// Whether its server says how far that is, and when segments were recorded.
    let isStated: Bool

    /// Whether it was joined there, since nobody wished otherwise.
    let isJoined: Bool

    /// The edge of a stream whose playlist may grow.
    ///
    /// - Parameters:
    ///   - playlist: The playlist.
    ///   - isJoined: Whether it is left to the playlist where the stream is begun.
    ///   - now: The present time.
    init(_ playlist: StreamPlaylist, isJoined: Bool, at now: Instant) {
        let timeline = playlist.timeline
        let age = playlist.newsAt.map { max(.zero, now - $0) } ?? .zero
        supposed = timeline.edge + min(age, timeline.targetDuration * LiveEdge.mostLate)
        join = timeline.livePosition
        distance = min(timeline.joinDistance, timeline.edge - timeline.start)
        isStated = timeline.statedHoldBack != nil && timeline.date != nil
        self.isJoined = isJoined && timeline.isJoinedAtEdge
    }
}
