internal import SegueBase
internal import SeguePlaylists

/// A rule that one playlist breaks.
struct Breach: Error {
    let rule: Rule
    let message: String
    /// The media sequence number of the segment that is at fault; nil where none is.
    var segment: Int?

    init(_ rule: Rule, _ message: String, segment: Int? = nil) {
        (self.rule, self.message, self.segment) = (rule, message, segment)
    }
}

/// What is known of a listed segment beside what the playlist says.
struct SegmentFact: Sendable {
    /// Its discontinuity sequence number.
    var discontinuity: Int
    /// The date of its beginning, in seconds since 1970, said or reckoned; nil where none was said before it.
    var date: Double?
    /// When it was not listed yet for sure; nil where it was there from the first.
    var missing: Instant?
}

/// A media playlist as it was loaded last, whole.
struct PlaylistState: Sendable {
    var playlist: MediaPlaylist
    /// As many as the playlist has segments.
    var segments: [SegmentFact]
    /// What its references are relative to.
    var base: URIReference.Base
    /// When the load began and ended that brought it, or the last that brought the same.
    var began: Instant
    var ended: Instant
    /// Whether a delta update was part of it.
    var isOfDelta: Bool

    /// The date of the end of the last segment, in seconds since 1970.
    var endDate: Double? {
        guard let last = segments.last?.date, let segment = playlist.segments.last else { return nil }
        return last + segment.duration.seconds
    }

    /// The media sequence number of the last segment, whole or being made.
    var lastMSN: Int { playlist.openParts.isEmpty ? playlist.nextSequence - 1 : playlist.nextSequence }

    /// The discontinuity sequence number of each segment.
    static func discontinuities(_ playlist: MediaPlaylist) -> [Int] {
        var number = playlist.discontinuitySequence
        return playlist.segments.map { segment in
            if segment.startsDiscontinuity { number += 1 }
            return number
        }
    }
}

extension MediaPlaylist {
    /// The target duration in seconds, as far as anything is timed by it.
    var target: Double { Double(min(max(targetDuration, 1), 3600)) }

    /// The numbers of its segments.
    var sequences: Range<Int> { mediaSequence..<mediaSequence + segments.count }

    /// A listed segment, by its number.
    func segment(_ number: Int) -> MediaSegment? {
        sequences.contains(number) ? segments[number - mediaSequence] : nil
    }
}
