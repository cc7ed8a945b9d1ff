internal import SegueBase
internal import SeguePlaylists

/// Where a playlist's segments lie on the item's timeline.
extension SegmentTimeline {
    /// Longer than any title: three years, in seconds.
    static let longest = Rational(100_000_000)

    /// How many target durations the ends of two playlists of one live item may lie apart, because they were not loaded at
    /// the same moment.
    private static let mostLag = 2

    static func tooLong(_ url: String) -> PlaybackError {
        PlaybackError(.unreadable, "the segments are longer than any title together: \(url)")
    }

    /// Makes sure that numbers are ones to reckon with.
    static func checkNumbers(of playlist: MediaPlaylist, from url: String) throws(PlaybackError) {
        guard playlist.mediaSequence <= 1 << 53, playlist.targetDuration <= 1_000_000 else {
            throw PlaybackError(.unreadable, "the media sequence or the target duration is beyond reason: \(url)")
        }
        guard playlist.skip == nil else {
            throw PlaybackError(.unreadable, "segments were left out that nobody knows: \(url)")
        }
    }

    /// How long segments are together, in seconds.
    ///
    /// - Throws: ``PlaybackError`` where that is longer than any title.
    static func length(of segments: ArraySlice<MediaSegment>, from url: String) throws(PlaybackError) -> Rational {
        var length = Rational.zero
        for segment in segments {
            length += segment.duration
            guard length < longest else { throw tooLong(url) }
        }
        return length
    }

    /// Where a playlist says when something was recorded: seconds from its beginning, and since 1970.
    static func firstDate(in playlist: MediaPlaylist) -> (offset: Rational, seconds: Double)? {
        var offset = Rational.zero
        for segment in playlist.segments {
            if let text = segment.programDateTime, let seconds = ProgramDate.seconds(text) { return (offset, seconds) }
            offset += segment.duration
        }
        return nil
    }

    /// Where on the item's timeline a playlist begins, in seconds.
    ///
    /// What does not change begins at the beginning. What does is laid beside another rendition of it by the dates that
    /// both give, else by a discontinuity that both have (RFC 8216, 6.2.4: its number means the same in both), else end to
    /// end. Media sequence numbers need not mean the same in both (RFC 8216bis, 6.2.4): they are heeded only for how
    /// much later one was loaded than the other, as far as that can be.
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

    /// Where a playlist begins by its dates and those of a timeline; nil where one of them has none.
    static func begin(_ playlist: MediaPlaylist, byDateOf other: SegmentTimeline) -> Rational? {
        guard let dated = firstDate(in: playlist), let theirs = other.date,
            (dated.seconds - theirs.seconds).magnitude < 1_000_000
        else { return nil }
        return Rational(theirs.position) + Rational(seconds: dated.seconds - theirs.seconds) - dated.offset
    }

    /// Where a playlist begins by a discontinuity that a timeline has too; nil where there is none.
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
