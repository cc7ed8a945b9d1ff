internal import SegueBase
internal import SeguePlaylists

/// The state of a playlist that the multivariant playlist no longer lists.
struct PlaylistDeparture: Sendable {
    let at: Instant
    /// True if the multivariant playlist lists another playlist in its place.
    let isMoved: Bool
    /// The next media sequence number after the grace period; nil until then.
    private var sequence: Int?
    /// True once the playlist is no longer watched.
    private(set) var isOver = false

    init(at instant: Instant, isMoved: Bool) { (at, self.isMoved) = (instant, isMoved) }

    mutating func end() { isOver = true }

    /// Checks if the playlist continues.
    ///
    /// It may continue for the time that a new segment may take, 1.5 target durations (rfc8216bis, 6.2.1).
    mutating func check(_ state: PlaylistState, _ response: WatchResponse, beat: Double) -> [Breach] {
        let playlist = state.playlist
        let target = max(playlist.target, beat)
        guard response.began > at + .seconds(1.5 * target) || playlist.hasEndList else { return [] }
        guard let sequence else {
            self.sequence = playlist.nextSequence
            if playlist.hasEndList { isOver = true }
            return []
        }
        let isNew = playlist.nextSequence > sequence
        guard isNew || playlist.hasEndList || (response.ended - at).seconds > 3 * target else { return [] }
        isOver = true
        guard isNew, !isMoved, !playlist.hasEndList else { return [] }
        let message: Message = "the playlist continues, but the multivariant playlist no longer lists it"
        return [Breach(LiveRules.listed, message, segment: playlist.nextSequence - 1)]
    }
}
