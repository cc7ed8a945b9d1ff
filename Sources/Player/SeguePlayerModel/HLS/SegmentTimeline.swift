internal import SegueBase
package import SegueFetch
package import SeguePlaylists

/// The segments of a media playlist on the item's timeline; for a live playlist, those of its present version.
///
/// URLs stay as written until they are used, so that the timeline takes little more memory than the playlist, however
/// long the playlist's own URL is.
struct SegmentTimeline: Sendable {
    struct Slot: Sendable {
        let uri: String
        let base: URIReference.Base
        let initialization: MediaMap?

        let range: FetchRange?
        /// The key of the initialization section; nil if it is not encrypted.
        let mapKey: SegmentKey?
        let key: SegmentKey?
        let start: Duration
        let end: Duration
        /// Its discontinuity sequence number.
        let discontinuity: Int
        let startsDiscontinuity: Bool
        var isGap: Bool
        /// True if it is a part of a segment.
        var isPart = false
        /// True if it is a part that can be decoded without others.
        var isIndependent = false

        var duration: Duration { end - start }

        /// Its absolute URL.
        var url: String { base.resolve(uri) }

        /// The address of its initialization section, if it has one.
        var map: MapAddress? {
            initialization.map { map in
                MapAddress(url: base.resolve(map.uri), range: map.byteRange.map(FetchRange.init))
            }
        }
    }

    /// The segments, at least one.
    private(set) var slots: [Slot] = []

    /// The number of the first segment; the first segment ever known has number 0.
    private(set) var first = 0

    /// True if the playlist is complete.
    private(set) var isEnded: Bool

    /// The maximum duration of segments.
    private(set) var targetDuration: Duration

    /// The media sequence number of segment 0.
    let origin: Int

    /// The last date in the playlist: a position, and its seconds since 1970.
    private(set) var date: (position: Duration, seconds: Double)?

    var lowLatency: LowLatencyState

    /// The interstitials, in the order of the playlist.
    var scheduled: [ScheduledInterstitial] = []

    /// The maximum length of an item: three years, in seconds.
    static let longest = Rational(100_000_000)

    static func tooLong(_ url: String) -> PlaybackError {
        PlaybackError(.unreadable, "the segments together exceed the maximum duration of an item: \(url)")
    }

    private let placed: PlaylistStart?
    private let beginning: Duration
    private let firstTarget: Int
    private var endTime: Rational
    let encryption: PlatformProfile.Encryption

    /// The timeline of a playable playlist, aligned with another rendition or variant of the same item, if any.
    ///
    /// - Throws: ``PlaybackError`` if the playlist has no segments, exceeds the maximum length, or has no usable keys.
    init(
        _ playlist: MediaPlaylist,
        from url: String,
        encryption: PlatformProfile.Encryption,
        lowLatency: PlatformProfile.LowLatency = .none,
        beside other: SegmentTimeline? = nil
    ) throws(PlaybackError) {
        guard !playlist.segments.isEmpty else { throw PlaybackError(.empty, "the playlist has no segments: \(url)") }
        try playlist.checkNumbers(from: url)
        let length = try playlist.length(from: 0, url: url)
        isEnded = playlist.hasEndList || playlist.kind == .vod
        targetDuration = .seconds(playlist.targetDuration)
        firstTarget = playlist.targetDuration
        origin = playlist.mediaSequence
        self.encryption = encryption
        self.lowLatency = LowLatencyState(isUsed: lowLatency == .parts)
        placed = playlist.start
        let begin = playlist.begin(length: length, isEnded: isEnded, beside: other)
        beginning = Duration(begin)
        endTime = begin
        date = playlist.firstDate.map { (Duration(begin + $0.offset), $0.seconds) }
        try append(playlist, from: 0, length: length, at: begin, url: url)
        readInterstitials(playlist, from: url)
        try readLowLatency(playlist, from: url)
    }

    /// Appends the segments of a playlist from an index on; none if any is unusable.
    private mutating func append(
        _ playlist: MediaPlaylist,
        from index: Int,
        length: Rational,
        at begin: Rational,
        url: String
    ) throws(PlaybackError) {
        guard begin + length < SegmentTimeline.longest else { throw SegmentTimeline.tooLong(url) }
        let base = URIReference.Base(url)
        var end = begin
        var discontinuity = playlist.discontinuitySequence
        var fresh: [Slot] = []
        fresh.reserveCapacity(playlist.segments.count - index)
        for (number, segment) in playlist.segments.enumerated() {
            if segment.startsDiscontinuity { discontinuity += 1 }
            guard number >= index else { continue }
            let start = Duration(end)
            end += segment.duration
            fresh.append(
                Slot(
                    uri: segment.uri,
                    base: base,
                    initialization: segment.map,
                    range: segment.byteRange.map(FetchRange.init),
                    mapKey: try SegmentKey(segment.map?.keys ?? [], sequence: nil, from: url, encryption),
                    key: try SegmentKey(segment.keys, sequence: playlist.mediaSequence + number, from: url, encryption),
                    start: start,
                    end: Duration(end),
                    discontinuity: discontinuity,
                    startsDiscontinuity: segment.startsDiscontinuity,
                    isGap: segment.isGap
                )
            )
        }
        endTime = end
        slots += fresh
    }

    // MARK: Contents

    /// The number after that of the last segment.
    var upper: Int { first + slots.count }

    var start: Duration { slots[0].start }

    var end: Duration { slots[slots.count - 1].end }

    /// Returns a segment by its number, from ``first`` to ``upper``.
    func slot(_ number: Int) -> Slot { slots[number - first] }

    /// Returns the number of the segment that contains a position, or of the nearest one.
    func segment(at position: Duration) -> Int {
        var low = 0
        var high = slots.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if slots[middle].start <= position { low = middle } else { high = middle }
        }
        return first + low
    }

    /// The default start position.
    ///
    /// This is the position in the playlist, or else the beginning, or ``livePosition`` for a live playlist.
    var joinPosition: Duration { preferredStart ?? (isEnded ? start : livePosition) }

    /// The position at which a viewer joins a live playlist now: the distance from its end in the playlist, or else the
    /// last segment or part that begins at least the hold-back before the end (RFC 8216bis, 6.3.3).
    ///
    /// The hold-back is three target durations, or the server's, on platforms that support it.
    var livePosition: Duration {
        if let placed, placed.timeOffset < .zero, let preferredStart { return preferredStart }
        return placeStart(at: seekableEnd)
    }

    /// The distance from the end at which a viewer joins a live playlist: that in the playlist, or else the hold-back.
    var joinDistance: Duration {
        guard let placed, placed.timeOffset < .zero else { return holdBack }
        return .zero - Duration(placed.timeOffset)
    }

    /// True if a viewer joins relative to the end, and not to the beginning.
    var isJoinedAtEdge: Bool { placed.map { $0.timeOffset < .zero } ?? true }

    /// Returns the start of the media that load for a position.
    private func placeStart(at position: Duration) -> Duration {
        let place = place(at: position)
        return part(place.number, place.part)?.start ?? slot(place.number).start
    }

    /// The start position in the playlist, if any.
    private var preferredStart: Duration? {
        guard let placed else { return nil }
        let wanted = (placed.timeOffset < .zero ? edge : beginning) + Duration(placed.timeOffset)
        let position = min(max(wanted, start), edge)
        return placed.isPrecise ? position : placeStart(at: position)
    }

    /// The distance from the end at which players stay.
    var holdBack: Duration { lowLatency.holdBack ?? targetDuration * 3 }

    /// The maximum position of a seek: the end, or the hold-back before it for a live playlist.
    var seekableEnd: Duration { isEnded ? end : max(start, edge - holdBack) }
}

/// Reloads of the playlist.
extension SegmentTimeline {
    /// The result of a reload.
    struct Change: Equatable {
        /// True if anything has changed.
        var isNews = false
        /// A tolerable error.
        var complaint: PlaybackError?
    }

    /// Updates the timeline.
    ///
    /// - Throws: ``PlaybackError`` for a playlist that does not continue the previous version.
    mutating func update(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) -> Change {
        let former = edge
        var change = try accept(playlist, from: url)
        if edge != former { change.isNews = true }
        return change
    }

    private mutating func accept(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) -> Change {
        var change = Change()
        try playlist.checkNumbers(from: url)
        let target = playlist.targetDuration
        if .seconds(target) != targetDuration {
            let message = "the target duration changed from \(targetDuration.seconds) s to \(target) s: \(url)"
            // Encoders that write the maximum duration within the window change it slightly.
            guard target <= 2 * max(firstTarget, 1), 2 * target >= firstTarget else {
                throw PlaybackError(.changed, message)
            }
            change.complaint = PlaybackError(.changed, message)
            targetDuration = .seconds(target)
        }
        let newFirst = playlist.mediaSequence - origin
        let newUpper = newFirst + playlist.segments.count
        let isEnding = playlist.hasEndList || playlist.kind == .vod
        guard newFirst >= first else {
            let numbers = "from \(first + origin) to \(playlist.mediaSequence)"
            let message = "the media sequence number decreased \(numbers): \(url)"
            // A cache may return an older version, whose segments are known. Anything else is another playlist.
            guard newUpper > first else { throw PlaybackError(.changed, message) }
            change.complaint = PlaybackError(.changed, message)
            return change
        }
        guard newUpper >= upper || isEnding else {
            let message = "the playlist no longer lists its last \(upper - newUpper) segments: \(url)"
            change.complaint = PlaybackError(.lost, message)
            return change
        }
        var begin = endTime
        if newFirst > upper {
            let message = "\(newFirst - upper) segments were added and removed between two reloads: \(url)"
            change.complaint = PlaybackError(.lost, message)
            begin = playlist.begin(byDateOf: self) ?? begin
            if begin <= endTime { begin = endTime + Rational(Int64(min(newFirst - upper, 1_000_000)) * Int64(target)) }
        }
        let fresh = max(0, min(playlist.segments.count, upper - newFirst))
        let length = try playlist.length(from: fresh, url: url)
        change.isNews = newFirst != first || fresh < playlist.segments.count || isEnding != isEnded
        isEnded = isEnding
        guard fresh < playlist.segments.count || newFirst < upper else {
            try readLowLatency(playlist, from: url)
            return change
        }
        let passed = min(newFirst - first, slots.count)
        try append(playlist, from: fresh, length: length, at: begin, url: url)
        slots.removeFirst(passed)
        first = newFirst
        if let dated = playlist.firstDate {
            date = (start + Duration(dated.offset), dated.seconds)
        }
        readInterstitials(playlist, from: url)
        try readLowLatency(playlist, from: url)
        return change
    }
}

extension FetchRange {
    /// The range in a playlist.
    package init(_ range: ByteRange) { self.init(offset: range.offset, length: range.length) }
}
