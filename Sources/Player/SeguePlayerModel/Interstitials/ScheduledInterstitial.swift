internal import SegueBase
internal import SeguePlaylists

/// An interstitial, with its place on the item's timeline.
struct ScheduledInterstitial: Sendable, Equatable {
    let interstitial: Interstitial

    /// The position of its date.
    let date: Duration

    /// The position of its start, which is meaningless for one before or after the item.
    var start: Duration

    /// The URL of the playlist that contains it.
    let playlistURL: String

    var id: String { interstitial.id }

    /// The expected position at which the item continues, as far as it is known in advance.
    var expectedEnd: Duration { start + interstitial.expectedOffset }

    /// Returns whether it replaces the content at a position.
    func covers(_ position: Duration) -> Bool {
        interstitial.cue == .date && position >= start && position < expectedEnd
    }
}

/// The interstitials of a playlist.
extension SegmentTimeline {
    /// The maximum number that is kept; the latest ones remain.
    private static let mostInterstitials = 500

    /// Reads the interstitials of a playlist, in its order, after its segments.
    ///
    /// A live playlist drops tags of the past; the known ones are kept.
    mutating func readInterstitials(_ playlist: MediaPlaylist, from url: String) {
        guard playlist.dateRanges.contains(where: { $0.classID == Interstitial.classID }) else { return }
        let dates = zip(slots, playlist.segments).compactMap { slot, segment in
            segment.programDateTime.flatMap(ProgramDate.seconds).map { (position: slot.start, seconds: $0) }
        }
        guard let first = dates.first ?? date else { return }
        var known = scheduled
        var places: [String: Int] = [:]
        for index in known.indices { places[known[index].id] = index }
        for interstitial in playlist.dateRanges.lazy.compactMap(Interstitial.init) {
            // The time since the preceding date is the distance on the timeline.
            let anchor = dates.last { $0.seconds <= interstitial.date } ?? first
            guard let distance = Interstitial.duration(of: interstitial.date - anchor.seconds) else { continue }
            let start = anchor.position + distance
            let entry = ScheduledInterstitial(
                interstitial: interstitial,
                date: start,
                start: interstitial.snapsOut ? border(nearest: start) ?? start : start,
                playlistURL: url
            )
            if let place = places[entry.id] {
                known[place] = entry
            } else {
                places[entry.id] = known.count
                known.append(entry)
            }
        }
        scheduled = known.suffix(SegmentTimeline.mostInterstitials)
    }

    /// Returns the segment boundary nearest to a position; nil outside of the playlist.
    func border(nearest position: Duration) -> Duration? {
        guard position >= start, position < end else { return nil }
        let slot = slot(segment(at: position))
        return position - slot.start <= slot.end - position ? slot.start : slot.end
    }
}

/// Snapping of interstitials when several playlists are played together (RFC 8216bis, D.2, `X-SNAP`).
extension StreamSet {
    /// Returns the nearest boundary in each loaded playlist of audio and video; none outside of them.
    private func borders(nearest position: Duration) -> [Duration] {
        all.compactMap { stream in
            guard stream.role != .subtitles, stream.progress.standing != .idle else { return nil }
            return stream.progress.playlist.timeline.border(nearest: position)
        }
    }

    /// Returns the boundary at which an item continues: the latest of the nearest ones in each playlist.
    func borderToResume(at position: Duration) -> Duration? { borders(nearest: position).max() }

    /// Returns the interstitials with snapped starts: at the earliest of the nearest boundaries in each playlist.
    func snapped(_ scheduled: [ScheduledInterstitial]) -> [ScheduledInterstitial] {
        guard all.count > 1, scheduled.contains(where: \.interstitial.snapsOut) else { return scheduled }
        return scheduled.map { entry in
            var entry = entry
            if entry.interstitial.snapsOut, let border = borders(nearest: entry.date).min() { entry.start = border }
            return entry
        }
    }
}
