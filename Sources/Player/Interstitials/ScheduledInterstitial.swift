internal import HLS
internal import Timeline

/// An interstitial, with where it begins on the timeline of the item that it is part of.
struct ScheduledInterstitial: Sendable, Equatable {
    let interstitial: Interstitial

    /// Where it begins; that is without meaning for one that is played before or after the item.
    let start: Duration

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
                start: interstitial.snapsOut ? border(nearest: start) : start,
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

    /// Where a segment begins or ends, as near to a position as can be; the position itself outside of what there is.
    func border(nearest position: Duration) -> Duration {
        guard position >= start, position < end else { return position }
        let slot = slot(segment(at: position))
        return position - slot.start <= slot.end - position ? slot.start : slot.end
    }
}
