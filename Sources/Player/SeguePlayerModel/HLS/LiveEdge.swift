internal import SegueBase

/// The live edge of a stream, and the distance from it at which the stream plays.
struct LiveEdge: Sendable {
    /// The number of target durations after which a late stream is assumed to have stopped growing.
    private static let mostLate = 3

    /// The expected end: that of the playlist, plus the time since its last change.
    let supposed: Duration

    /// The position at which a viewer joins now.
    let join: Duration

    /// The distance from the end at which a viewer joins.
    let distance: Duration

    /// True if the server states a hold-back and dates.
    let isStated: Bool

    /// True if playback started there, without another position being requested.
    let isJoined: Bool

    /// The edge of a live playlist; `isJoined` states that the start position was left to the playlist.
    init(_ playlist: StreamPlaylist, isJoined: Bool, at now: Instant) {
        let timeline = playlist.timeline
        let age = playlist.newsAt.map { max(.zero, now - $0) } ?? .zero
        supposed = timeline.edge + min(age, timeline.targetDuration * LiveEdge.mostLate)
        join = timeline.livePosition
        distance = min(timeline.joinDistance, timeline.edge - timeline.start)
        isStated = timeline.lowLatency.holdBack != nil && timeline.date != nil
        self.isJoined = isJoined && timeline.isJoinedAtEdge
    }
}
