internal import SegueBase
internal import SeguePlaylists

/// Placement of a playlist's segments on the item's timeline.
extension MediaPlaylist {
    /// The maximum offset between the ends of two playlists of one live item that loaded at different times, in target
    /// durations.
    private static let mostLag = 2

    /// Checks that numbers are within usable limits.
    func checkNumbers(from url: String) throws(PlaybackError) {
        guard mediaSequence <= 1 << 53, targetDuration <= 1_000_000 else {
            throw PlaybackError(.unreadable, "the media sequence number or target duration is too large: \(url)")
        }
        guard skip == nil else {
            throw PlaybackError(.unreadable, "a delta update omits segments that were never loaded: \(url)")
        }
    }

    /// Returns the total duration of the segments from an index on, in seconds.
    ///
    /// - Throws: ``PlaybackError`` if it exceeds the maximum length of an item.
    func length(from index: Int, url: String) throws(PlaybackError) -> Rational {
        var length = Rational.zero
        for segment in segments[index...] {
            length += segment.duration
            guard length < SegmentTimeline.longest else { throw SegmentTimeline.tooLong(url) }
        }
        return length
    }

    /// The first date: its offset from the start, in seconds, and the seconds since 1970.
    var firstDate: (offset: Rational, seconds: Double)? {
        var offset = Rational.zero
        for segment in segments {
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
    func begin(length: Rational, isEnded: Bool, beside other: SegmentTimeline?) -> Rational {
        guard let other, !(isEnded && other.isEnded && other.first == 0) else { return .zero }
        if let begin = self.begin(byDateOf: other) ?? self.begin(byDiscontinuityOf: other) { return begin }
        let endToEnd = Rational(other.end) - length
        let number = mediaSequence - other.origin
        guard number >= other.first, number < other.upper else { return endToEnd }
        let bySequence = Rational(other.slot(number).start)
        let lag = bySequence < endToEnd ? endToEnd - bySequence : bySequence - endToEnd
        return lag <= Rational(Int64(MediaPlaylist.mostLag * targetDuration)) ? bySequence : endToEnd
    }

    /// Returns the start of a playlist, by dates in it and in another timeline.
    func begin(byDateOf other: SegmentTimeline) -> Rational? {
        guard let dated = firstDate, let theirs = other.date,
            (dated.seconds - theirs.seconds).magnitude < 1_000_000
        else { return nil }
        return Rational(theirs.position) + Rational(seconds: dated.seconds - theirs.seconds) - dated.offset
    }

    /// Returns the start of a playlist, by a discontinuity in it and in another timeline.
    private func begin(byDiscontinuityOf other: SegmentTimeline) -> Rational? {
        var starts: [Int: Duration] = [:]
        for slot in other.slots where slot.startsDiscontinuity { starts[slot.discontinuity] = slot.start }
        guard !starts.isEmpty else { return nil }
        var offset = Rational.zero
        var number = discontinuitySequence
        for segment in segments {
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
