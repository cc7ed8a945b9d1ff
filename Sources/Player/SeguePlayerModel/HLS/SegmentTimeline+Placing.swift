internal import SegueBase
internal import SeguePlaylists

/// Placement of a playlist's segments on the item's timeline.
extension SegmentTimeline {
    /// The maximum length of an item: three years, in seconds.
    static let longest = Rational(100_000_000)

    /// The maximum offset between the ends of two playlists of one live item that loaded at different times, in target
    /// durations.
    private static let mostLag = 2

    static func tooLong(_ url: String) -> PlaybackError {
        PlaybackError(.unreadable, "the segments are longer than any title together: \(url)")
    }

    /// Checks that numbers are within usable limits.
    static func checkNumbers(of playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        guard playlist.mediaSequence <= 1 << 53, playlist.targetDuration <= 1_000_000 else {
            throw PlaybackError(.unreadable, "the media sequence or the target duration is beyond reason: \(url)")
        }
        guard playlist.skip == nil else {
            throw PlaybackError(.unreadable, "segments were left out that nobody knows: \(url)")
        }
    }

    /// Returns the total duration of segments, in seconds.
    ///
    /// - Throws: ``PlaybackError`` if it exceeds the maximum length of an item.
    static func length(of segments: ArraySlice<MediaSegment>, from url: String) throws(PlaybackError) -> Rational {
        var length = Rational.zero
        for segment in segments {
            length += segment.duration
            guard length < longest else { throw tooLong(url) }
        }
        return length
    }

    /// Returns the first date of a playlist: its offset from the start, in seconds, and the seconds since 1970.
    static func firstDate(in playlist: MediaPlaylist) -> (offset: Rational, seconds: Double)? {
        var offset = Rational.zero
        for segment in playlist.segments {
            if let text = segment.programDateTime, let seconds = ProgramDate.seconds(text) { return (offset, seconds) }
            offset += segment.duration
        }
        return nil
    }

    /// Returns the start of a playlist on the item's timeline, in seconds.
    ///
    /// A VOD playlist starts at zero. A live playlist is aligned with another rendition by dates in both, else by a
    /// discontinuity in both (RFC 8216, 6.2.4: its number has the same meaning in both), else end to end. Media
    /// sequence numbers may differ (RFC 8216bis, 6.2.4), so they only indicate how much later one was loaded than the
    /// other, within limits.
    static func begin(
        _ playlist: MediaPlaylist,
        length: Rational,
        isEnded: Bool,
        beside other: SegmentTimeline?
    ) -> Rational {
        guard let other, !(isEnded && other.isEnded && other.first == 0) else { return .zero }
        if let begin = begin(playlist, byDateOf: other) ?? begin(playlist, byDiscontinuityOf: other) { return begin }
        let endToEnd = Rational(other.end) - length
        let number = playlist.mediaSequence - other.origin
        guard number >= other.first, number < other.upper else { return endToEnd }
        let bySequence = Rational(other.slot(number).start)
        let lag = bySequence < endToEnd ? endToEnd - bySequence : bySequence - endToEnd
        return lag <= Rational(Int64(mostLag * playlist.targetDuration)) ? bySequence : endToEnd
    }

    /// Returns the start of a playlist, by dates in it and in another timeline.
    static func begin(_ playlist: MediaPlaylist, byDateOf other: SegmentTimeline) -> Rational? {
        guard let dated = firstDate(in: playlist), let theirs = other.date,
            (dated.seconds - theirs.seconds).magnitude < 1_000_000
        else { return nil }
        return Rational(theirs.position) + Rational(seconds: dated.seconds - theirs.seconds) - dated.offset
    }

    /// Returns the start of a playlist, by a discontinuity in it and in another timeline.
    private static func begin(_ playlist: MediaPlaylist, byDiscontinuityOf other: SegmentTimeline) -> Rational? {
        var starts: [Int: Duration] = [:]
        for slot in other.slots where slot.startsDiscontinuity { starts[slot.discontinuity] = slot.start }
        guard !starts.isEmpty else { return nil }
        var offset = Rational.zero
        var number = playlist.discontinuitySequence
        for segment in playlist.segments {
            if segment.startsDiscontinuity {
                number += 1
                if let start = starts[number] { return Rational(start) - offset }
            }
            offset += segment.duration
        }
        return nil
    }
}

extension Rational {
    fileprivate init(_ duration: Duration) { self.init(duration.wholeNanoseconds, 1_000_000_000) }
}
