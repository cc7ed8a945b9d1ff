internal import Fetch
internal import HLS
internal import Timeline

/// A media playlist's segments on the item's timeline, addresses resolved.
struct SegmentTimeline: Sendable {
    /// One segment.
    struct Slot: Sendable {
        let url: String
        let range: FetchRange?
        let map: MapAddress?
        let start: Duration
        let end: Duration
        let startsDiscontinuity: Bool
        let isGap: Bool

        var duration: Duration { end - start }
    }

    let slots: [Slot]

    /// The end of the last segment.
    let duration: Duration

    /// Where the playlist wants players to begin.
    let preferredStart: Duration?

    /// The timeline of a playlist that can be played.
    ///
    /// - Throws: ``PlaybackError`` for one that may grow, has no segments or is encrypted.
    init(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        guard playlist.hasEndList || playlist.kind == .vod else {
            throw PlaybackError(.live, "the playlist has no end: live playlists are not supported: \(url)")
        }
        guard !playlist.segments.isEmpty else { throw PlaybackError(.empty, "the playlist has no segments: \(url)") }
        if let key = playlist.segments.lazy.compactMap(\.keys.first).first {
            throw PlaybackError(
                .encrypted,
                "the segments are encrypted with \(key.method), which is not supported: \(url)"
            )
        }
        var slots: [Slot] = []
        slots.reserveCapacity(playlist.segments.count)
        var end = Rational.zero
        for segment in playlist.segments {
            let start = end
            end += segment.duration
            slots.append(
                Slot(
                    url: URIReference.resolve(segment.uri, against: url),
                    range: segment.byteRange.map(FetchRange.init),
                    map: segment.map.map {
                        MapAddress(
                            url: URIReference.resolve($0.uri, against: url),
                            range: $0.byteRange.map(FetchRange.init)
                        )
                    },
                    start: Duration(start),
                    end: Duration(end),
                    startsDiscontinuity: segment.startsDiscontinuity,
                    isGap: segment.isGap
                )
            )
        }
        self.slots = slots
        let duration = Duration(end)
        self.duration = duration
        preferredStart = playlist.start.map { start in
            let offset = Duration(start.timeOffset)
            let wanted = offset < .zero ? duration + offset : offset
            let clamped = min(max(wanted, .zero), duration)
            guard !start.isPrecise else { return clamped }
            return slots.last { $0.start <= clamped }?.start ?? .zero
        }
    }

    /// The number of the segment that holds a position; the last one for the end and what lies behind it.
    func segment(at position: Duration) -> Int {
        var low = 0
        var high = slots.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if slots[middle].start <= position { low = middle } else { high = middle }
        }
        return low
    }
}

extension FetchRange {
    fileprivate init(_ range: ByteRange) { self.init(offset: range.offset, length: range.length) }
}
