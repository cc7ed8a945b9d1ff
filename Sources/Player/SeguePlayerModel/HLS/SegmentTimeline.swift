internal import SegueBase
package import SegueFetch
package import SeguePlaylists

/// A media playlist's segments on the item's timeline; of a playlist that changes, those that it names now.
///
/// Addresses stay as they were written until they are asked for, so that the timeline is hardly larger than the playlist,
/// however long the playlist's own address is.
struct SegmentTimeline: Sendable {
    /// One segment.
    struct Slot: Sendable {
        let uri: String
        let base: URIReference.Base
        let initialization: MediaMap?

        let range: FetchRange?
        /// How the initialization section is opened; nil where it is not encrypted.
        let mapKey: SegmentKey?
        let key: SegmentKey?
        let start: Duration
        let end: Duration
        /// Its discontinuity sequence number.
        let discontinuity: Int
        let startsDiscontinuity: Bool
        var isGap: Bool
        /// Whether it is a part of a segment.
        var isPart = false
        /// Whether it is a part that can be decoded without others.
        var isIndependent = false

        var duration: Duration { end - start }

        /// Where it is.
        var url: String { base.resolve(uri) }

        /// Where the initialization section is that it needs; nil where it needs none.
        var map: MapAddress? {
            initialization.map { map in
                MapAddress(url: base.resolve(map.uri), range: map.byteRange.map(FetchRange.init))
            }
        }
    }

    /// The segments, at least one.
    private(set) var slots: [Slot] = []

    /// The number of the first of them; the first segment that was ever known has number 0.
    private(set) var first = 0

    /// Whether no segment will be added.
    private(set) var isEnded: Bool

    /// An upper bound of the segments' durations.
    private(set) var targetDuration: Duration

    /// The media sequence number of segment 0.
    let origin: Int

    /// When some position was recorded, in seconds since 1970, as the playlist said last; nil when it does not say.
    private(set) var date: (position: Duration, seconds: Double)?

    /// Whether the platform takes parts, and the server has kept to what it offers.
    var isLowLatency: Bool

    /// The parts at the end; nil where there are none, or they are not taken.
    var partTimeline: PartTimeline?

    /// What the server offers to those who load the playlist again.
    var offer = ReloadOffer()

    /// What is to be played in the middle, in the order of the playlist.
    var scheduled: [ScheduledInterstitial] = []

    /// How far from the end players stay, as the server says; nil where it does not, or that is not heeded.
    var statedHoldBack: Duration?

    private let placed: PlaylistStart?
    private let beginning: Duration
    private let firstTarget: Int
    private var endTime: Rational
    let encryption: PlatformProfile.Encryption

    /// The timeline of a playlist that can be played.
    ///
    /// - Parameters:
    ///   - playlist: The playlist.
    ///   - url: Where it came from.
    ///   - encryption: What the platform does about encrypted media.
    ///   - lowLatency: What it makes of low-latency streams.
    ///   - other: The timeline of another rendition or variant of the same item, beside which this one is laid.
    /// - Throws: ``PlaybackError`` for one that has no segments, that is longer than any title, or whose keys are of no
    ///   use.
    init(
        _ playlist: MediaPlaylist,
        from url: String,
        encryption: PlatformProfile.Encryption,
        lowLatency: PlatformProfile.LowLatency = .none,
        beside other: SegmentTimeline? = nil
    ) throws(PlaybackError) {
        guard !playlist.segments.isEmpty else { throw PlaybackError(.empty, "the playlist has no segments: \(url)") }
        try SegmentTimeline.checkNumbers(of: playlist, from: url)
        let length = try SegmentTimeline.length(of: playlist.segments[...], from: url)
        isEnded = playlist.hasEndList || playlist.kind == .vod
        targetDuration = .seconds(playlist.targetDuration)
        firstTarget = playlist.targetDuration
        origin = playlist.mediaSequence
        self.encryption = encryption
        isLowLatency = lowLatency == .parts
        placed = playlist.start
        let begin = SegmentTimeline.begin(playlist, length: length, isEnded: isEnded, beside: other)
        beginning = Duration(begin)
        endTime = begin
        date = SegmentTimeline.firstDate(in: playlist).map { (Duration(begin + $0.offset), $0.seconds) }
        try append(playlist, from: 0, length: length, at: begin, url: url)
        takeInterstitials(playlist, from: url)
        try takeLowLatency(playlist, from: url)
    }

    /// Adds a playlist's segments from one on, which begins at some time; none where one of them is of no use.
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

    // MARK: What there is

    /// The number after the last segment's.
    var upper: Int { first + slots.count }

    /// Where the first segment begins.
    var start: Duration { slots[0].start }

    /// Where the last segment ends.
    var end: Duration { slots[slots.count - 1].end }

    /// A segment by its number, which is one of ``first`` to ``upper``.
    func slot(_ number: Int) -> Slot { slots[number - first] }

    /// The number of the segment that holds a position; the first or the last one for what lies outside.
    func segment(at position: Duration) -> Int {
        var low = 0
        var high = slots.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if slots[middle].start <= position { low = middle } else { high = middle }
        }
        return first + low
    }

    /// Where playback begins where nobody wishes otherwise.
    ///
    /// That is where the playlist says, else at the beginning; of one that may grow, where ``livePosition`` says.
    var joinPosition: Duration { preferredStart ?? (isEnded ? start : livePosition) }

    /// Where one that may grow is joined as it is now: as far from its end as the playlist says, else with the last segment
    /// or part that begins at least as far before it as players stay (RFC 8216bis, 6.3.3): three target durations, or
    /// what the server says, where the platform heeds that.
    var livePosition: Duration {
        if let placed, placed.timeOffset < .zero, let preferredStart { return preferredStart }
        return placeStart(at: seekableEnd)
    }

    /// How far from its end one that may grow is joined: as the playlist says, else as far as players stay.
    var joinDistance: Duration {
        guard let placed, placed.timeOffset < .zero else { return holdBack }
        return .zero - Duration(placed.timeOffset)
    }

    /// Whether one that may grow is joined near its end, and not at a distance from its beginning.
    var isJoinedAtEdge: Bool { placed.map { $0.timeOffset < .zero } ?? true }

    /// Where what is loaded for a position begins.
    private func placeStart(at position: Duration) -> Duration {
        let place = place(at: position)
        return part(place.number, place.part)?.start ?? slot(place.number).start
    }

    /// Where the playlist wants players to begin; nil where it does not say.
    private var preferredStart: Duration? {
        guard let placed else { return nil }
        let wanted = (placed.timeOffset < .zero ? edge : beginning) + Duration(placed.timeOffset)
        let position = min(max(wanted, start), edge)
        return placed.isPrecise ? position : placeStart(at: position)
    }

    /// How far from the end players stay.
    var holdBack: Duration { statedHoldBack ?? targetDuration * 3 }

    /// The last position that a seek may be sent to: the end, or as far before it as players stay where it may grow.
    var seekableEnd: Duration { isEnded ? end : max(start, edge - holdBack) }
}

/// What becomes of a timeline when its playlist was loaded again.
extension SegmentTimeline {
    /// What a playlist that was loaded again brought.
    struct Change: Equatable {
        /// Whether anything is other than before.
        var isNews = false
        /// What is wrong with it, though it can be borne.
        var complaint: PlaybackError?
    }

    /// Takes in the playlist as it is now.
    ///
    /// - Throws: ``PlaybackError`` for one that does not go on from the former.
    mutating func update(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) -> Change {
        let former = edge
        var change = try take(playlist, from: url)
        if edge != former { change.isNews = true }
        return change
    }

    private mutating func take(_ playlist: MediaPlaylist, from url: String) throws(PlaybackError) -> Change {
        var change = Change()
        try SegmentTimeline.checkNumbers(of: playlist, from: url)
        let target = playlist.targetDuration
        if .seconds(target) != targetDuration {
            let message = "the target duration changed from \(targetDuration.seconds) s to \(target) s: \(url)"
            // Encoders that write the longest duration of what is in the window change it a little.
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
            let message = "the media sequence went back from \(first + origin) to \(playlist.mediaSequence): \(url)"
            // A cache may give an older copy, which names what is known; anything else is another playlist.
            guard newUpper > first else { throw PlaybackError(.changed, message) }
            change.complaint = PlaybackError(.changed, message)
            return change
        }
        guard newUpper >= upper || isEnding else {
            let message = "the playlist lost \(upper - newUpper) segments at its end: \(url)"
            change.complaint = PlaybackError(.lost, message)
            return change
        }
        var begin = endTime
        if newFirst > upper {
            let message = "\(newFirst - upper) segments came and went between two loads: \(url)"
            change.complaint = PlaybackError(.lost, message)
            begin = SegmentTimeline.begin(playlist, byDateOf: self) ?? begin
            if begin <= endTime { begin = endTime + Rational(Int64(min(newFirst - upper, 1_000_000)) * Int64(target)) }
        }
        let fresh = max(0, min(playlist.segments.count, upper - newFirst))
        let length = try SegmentTimeline.length(of: playlist.segments[fresh...], from: url)
        change.isNews = newFirst != first || fresh < playlist.segments.count || isEnding != isEnded
        isEnded = isEnding
        guard fresh < playlist.segments.count || newFirst < upper else {
            try takeLowLatency(playlist, from: url)
            return change
        }
        let passed = min(newFirst - first, slots.count)
        try append(playlist, from: fresh, length: length, at: begin, url: url)
        slots.removeFirst(passed)
        first = newFirst
        if let dated = SegmentTimeline.firstDate(in: playlist) {
            date = (start + Duration(dated.offset), dated.seconds)
        }
        takeInterstitials(playlist, from: url)
        try takeLowLatency(playlist, from: url)
        return change
    }
}

extension FetchRange {
    /// The part that a playlist names.
    package init(_ range: ByteRange) { self.init(offset: range.offset, length: range.length) }
}
