internal import Fetch
internal import HLS
internal import Timeline

/// A media playlist's segments on the item's timeline, addresses resolved; of a playlist that changes, those that it
/// names now.
struct SegmentTimeline: Sendable {
    /// One segment.
    struct Slot: Sendable {
        let url: String
        let range: FetchRange?
        let map: MapAddress?
        let key: SegmentKey?
        let start: Duration
        let end: Duration
        let startsDiscontinuity: Bool
        let isGap: Bool

        var duration: Duration { end - start }
    }

    /// The segments, at least one.
    private(set) var slots: [Slot] = []

    /// The number of the first of them; the first segment that was ever known has number 0.
    private(set) var first = 0

    /// Whether no segment will be added.
    private(set) var isEnded: Bool

    /// An upper bound of the segments' durations.
    private(set) var targetDuration: Duration

    /// Where the playlist wants players to begin.
    let preferredStart: Duration?

    /// The media sequence number of segment 0.
    let origin: Int

    /// When some position was recorded, in seconds since 1970; nil when the playlist does not say.
    let date: (position: Duration, seconds: Double)?

    private let firstTarget: Int
    private var endTime: Rational
    private let encryption: PlatformProfile.Encryption

    /// The timeline of a playlist that can be played.
    ///
    /// - Parameters:
    ///   - playlist: The playlist.
    ///   - url: Where it came from.
    ///   - encryption: What the platform does about encrypted media.
    ///   - other: The timeline of another rendition or variant of the same item, beside which this one is laid.
    /// - Throws: ``PlaybackError`` for one that has no segments, or whose keys are of no use.
    init(
        _ playlist: MediaPlaylist,
        from url: String,
        encryption: PlatformProfile.Encryption,
        beside other: SegmentTimeline? = nil
    ) throws(PlaybackError) {
        guard !playlist.segments.isEmpty else { throw PlaybackError(.empty, "the playlist has no segments: \(url)") }
        try SegmentTimeline.checkNumbers(of: playlist, from: url)
        isEnded = playlist.hasEndList || playlist.kind == .vod
        targetDuration = .seconds(playlist.targetDuration)
        firstTarget = playlist.targetDuration
        origin = playlist.mediaSequence
        self.encryption = encryption
        let dated = SegmentTimeline.firstDate(in: playlist)
        let begin = SegmentTimeline.begin(playlist, isEnded: isEnded, dated: dated, beside: other)
        date = dated.map { (Duration(begin + $0.offset), $0.seconds) }
        endTime = begin
        let placed = playlist.start
        preferredStart = placed.map { start in
            let wanted =
                start.timeOffset < .zero ? begin + playlist.duration + start.timeOffset : begin + start.timeOffset
            return min(max(Duration(wanted), Duration(begin)), Duration(begin + playlist.duration))
        }
        slots.reserveCapacity(playlist.segments.count)
        try append(playlist.segments[...], sequence: playlist.mediaSequence, from: url)
        isPreferredStartPrecise = placed?.isPrecise ?? true
    }

    private var isPreferredStartPrecise = true

    private mutating func append(
        _ segments: ArraySlice<MediaSegment>,
        sequence: Int,
        from url: String
    ) throws(PlaybackError) {
        let base = URIReference.Base(url)
        var sequence = sequence
        for segment in segments {
            let start = Duration(endTime)
            endTime += segment.duration
            slots.append(
                Slot(
                    url: base.resolve(segment.uri),
                    range: segment.byteRange.map(FetchRange.init),
                    map: segment.map.map {
                        MapAddress(
                            url: base.resolve($0.uri),
                            range: $0.byteRange.map(FetchRange.init)
                        )
                    },
                    key: segment.keys.isEmpty
                        ? nil : try SegmentKey(segment.keys, sequence: sequence, from: url, encryption),
                    start: start,
                    end: Duration(endTime),
                    startsDiscontinuity: segment.startsDiscontinuity,
                    isGap: segment.isGap
                )
            )
            sequence += 1
        }
        guard endTime < SegmentTimeline.longest else {
            throw PlaybackError(.unreadable, "the segments are longer than any title together: \(url)")
        }
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
    /// That is where the playlist says, else at the beginning; of one that may grow, with the last segment that begins
    /// at least three target durations from its end (RFC 8216, 6.3.3).
    var joinPosition: Duration {
        if let preferredStart {
            return isPreferredStartPrecise ? preferredStart : slot(segment(at: preferredStart)).start
        }
        return isEnded ? start : slot(segment(at: seekableEnd)).start
    }

    /// The last position that a seek may be sent to: the end, or three target durations before where it may grow.
    var seekableEnd: Duration { isEnded ? end : max(start, end - targetDuration * 3) }
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
        if newFirst > upper {
            let message = "\(newFirst - upper) segments came and went between two loads: \(url)"
            change.complaint = PlaybackError(.lost, message)
            endTime += Rational(Int64(min(newFirst - upper, 1_000_000)) * Int64(target))
        }
        let fresh = max(0, min(playlist.segments.count, upper - newFirst))
        change.isNews = newFirst != first || fresh < playlist.segments.count || isEnding != isEnded
        isEnded = isEnding
        guard fresh < playlist.segments.count || newFirst < upper else { return change }
        let passed = min(newFirst - first, slots.count)
        slots.removeFirst(passed)
        first = newFirst
        try append(playlist.segments[fresh...], sequence: playlist.mediaSequence + fresh, from: url)
        return change
    }
}

extension SegmentTimeline {
    /// Longer than any title: three years.
    private static let longest = Rational(100_000_000)

    /// Makes sure that numbers are ones to reckon with.
    private static func checkNumbers(of playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        guard playlist.mediaSequence <= 1 << 53, playlist.targetDuration <= 1_000_000 else {
            throw PlaybackError(.unreadable, "the media sequence or the target duration is beyond reason: \(url)")
        }
    }

    /// Where a playlist says when something was recorded: seconds from its beginning, and since 1970.
    private static func firstDate(in playlist: MediaPlaylist) -> (offset: Rational, seconds: Double)? {
        var offset = Rational.zero
        for segment in playlist.segments {
            if let text = segment.programDateTime, let seconds = ProgramDate.seconds(text) { return (offset, seconds) }
            offset += segment.duration
        }
        return nil
    }

    /// Where on the item's timeline a playlist begins.
    ///
    /// What does not change begins at the beginning. What does is laid beside another rendition of it by the dates that
    /// both give, else by media sequence numbers, else end to end.
    private static func begin(
        _ playlist: MediaPlaylist,
        isEnded: Bool,
        dated: (offset: Rational, seconds: Double)?,
        beside other: SegmentTimeline?
    ) -> Rational {
        guard let other, !(isEnded && other.isEnded && other.first == 0) else { return .zero }
        if let dated, let theirs = other.date, (dated.seconds - theirs.seconds).magnitude < 1_000_000 {
            let difference = Rational(seconds: dated.seconds - theirs.seconds)
            return Rational(theirs.position.wholeNanoseconds, 1_000_000_000) + difference - dated.offset
        }
        let number = playlist.mediaSequence - other.origin
        let begin =
            number >= other.first && number < other.upper
            ? other.slot(number).start : other.end - Duration(playlist.duration)
        return Rational(begin.wholeNanoseconds, 1_000_000_000)
    }
}

extension FetchRange {
    fileprivate init(_ range: ByteRange) { self.init(offset: range.offset, length: range.length) }
}
