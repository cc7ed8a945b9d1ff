internal import SegueBase
internal import SeguePlaylists

/// An interstitial, with where it begins on the timeline of the item that it is part of.
struct ScheduledInterstitial: Sendable, Equatable {
    let interstitial: Interstitial

    /// Where its date is.
    let date: Duration

    /// Where it begins; that is without meaning for one that is played before or after the item.
    var start: Duration

    /// The playlist that schedules it.
    let playlistURL: String

    var id: String { interstitial.id }

    /// Where the item would be gone on with, as far as that is known before it was played.
    var expectedEnd: Duration { start + interstitial.expectedOffset }

    /// Whether it takes the place of what is at a position.
    func covers(_ position: Duration) -> Bool {
        interstitial.cue == .date && position >= start && position < expectedEnd
    }
}

/// The interstitials of a playlist.
extension SegmentTimeline {
    /// How many are known at a time; of more, the latest.
    private static let mostInterstitials = 500

    /// Takes in what a playlist schedules, in its order; to be called when its segments are there.
    ///
    /// A live playlist drops the tags of what has left it; what was known stays known.
    mutating func takeInterstitials(_ playlist: MediaPlaylist, from url: String) {
        guard playlist.dateRanges.contains(where: { $0.classID == Interstitial.classID }) else { return }
        let dates = zip(slots, playlist.segments).compactMap { slot, segment in
            segment.programDateTime.flatMap(ProgramDate.seconds).map { (position: slot.start, seconds: $0) }
        }
        guard let first = dates.first ?? date else { return }
        var known = scheduled
        var places: [String: Int] = [:]
        for index in known.indices { places[known[index].id] = index }
        for interstitial in playlist.dateRanges.lazy.compactMap(Interstitial.init) {
            // What was recorded after the last date before it, was recorded as much later.
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

    /// Where a segment begins or ends, as near to a position as can be; nil outside of what there is.
    func border(nearest position: Duration) -> Duration? {
        guard position >= start, position < end else { return nil }
        let slot = slot(segment(at: position))
        return position - slot.start <= slot.end - position ? slot.start : slot.end
    }
}

/// What interstitials are snapped to where several playlists contribute to what is played (RFC 8216bis, D.2, `X-SNAP`).
extension StreamSet {
    /// The nearest border that each playlist of sound and pictures has, which is loaded; none outside of what it has.
    private func borders(nearest position: Duration) -> [Duration] {
        all.compactMap { stream in
            guard stream.role != .subtitles, stream.standing != .idle else { return nil }
            return stream.playlist.timeline.border(nearest: position)
        }
    }

    /// Where an item goes on that is to go on at a border: the latest of the playlists' nearest ones; nil for none.
    func borderToResume(at position: Duration) -> Duration? { borders(nearest: position).max() }

    /// The interstitials with those that begin at a border: at the earliest of the playlists' nearest ones.
    func snapped(_ scheduled: [ScheduledInterstitial]) -> [ScheduledInterstitial] {
        guard all.count > 1, scheduled.contains(where: \.interstitial.snapsOut) else { return scheduled }
        return scheduled.map { entry in
            var entry = entry
            if entry.interstitial.snapsOut, let border = borders(nearest: entry.date).min() { entry.start = border }
            return entry
        }
    }
}
