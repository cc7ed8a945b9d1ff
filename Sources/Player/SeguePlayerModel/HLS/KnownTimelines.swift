/// A cache of the timelines of variants that do not change, so that a return to a variant needs no request.
struct KnownTimelines: Sendable {
    /// The capacity: more variants than most ladders have, and few enough for the largest playlists.
    static let most = 12

    private var known: [(address: String, timeline: SegmentTimeline, url: String)] = []

    /// Adds the timeline of a URL, with the URL after redirects.
    mutating func add(_ timeline: SegmentTimeline, of address: String, from url: String) {
        guard timeline.isEnded else { return }
        known.removeAll { $0.address == address }
        known.append((address, timeline, url))
        if known.count > KnownTimelines.most { known.removeFirst() }
    }

    /// The timeline of a URL, with the URL after redirects.
    subscript(address: String) -> (timeline: SegmentTimeline, url: String)? {
        known.first { $0.address == address }.map { ($0.timeline, $0.url) }
    }
}
