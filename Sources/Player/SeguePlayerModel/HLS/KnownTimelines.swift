/// The timelines of variants that do not change, so that going back to a variant asks for nothing again: the last few.
struct KnownTimelines: Sendable {
    /// More than most ladders have rungs, and few enough of the largest playlists that there may be.
    static let most = 12

    private var known: [(address: String, timeline: SegmentTimeline, url: String)] = []

    /// Takes in a timeline by the address that was asked for, with where it came from.
    mutating func add(_ timeline: SegmentTimeline, of address: String, from url: String) {
        guard timeline.isEnded else { return }
        known.removeAll { $0.address == address }
        known.append((address, timeline, url))
        if known.count > KnownTimelines.most { known.removeFirst() }
    }

    /// The timeline of an address, with where it came from; nil where it is not known.
    subscript(address: String) -> (timeline: SegmentTimeline, url: String)? {
        known.first { $0.address == address }.map { ($0.timeline, $0.url) }
    }
}
