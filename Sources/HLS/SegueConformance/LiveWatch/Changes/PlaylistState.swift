internal import SegueBase
internal import SeguePlaylists

/// The derived facts of a listed segment.
struct SegmentFact: Sendable {
    /// The discontinuity sequence number.
    var discontinuity: Int
    /// The stated or derived date of its start in seconds since 1970; nil if no earlier date is known.
    var date: Double?
    /// The time of the last load without the segment; nil if the first version had it.
    var missing: Instant?
}

/// The last version of a media playlist, with delta updates applied.
struct PlaylistState: Sendable {
    var playlist: MediaPlaylist
    var segments: [SegmentFact]
    /// The base URL of its references.
    var base: URIReference.Base
    /// The start and end of the last load that returned this version.
    var began: Instant
    var ended: Instant
    /// True if the version came from a delta update.
    var isOfDelta: Bool

    /// The date of the end in seconds since 1970.
    var endDate: Double? {
        guard let last = segments.last?.date, let segment = playlist.segments.last else { return nil }
        return last + segment.duration.seconds
    }

    /// Returns the date of a listed segment in seconds since 1970; nil if it is unknown.
    func date(of number: Int) -> Double? {
        playlist.sequences.contains(number) ? segments[number - playlist.mediaSequence].date : nil
    }

    /// The media sequence number of the last segment, complete or open.
    var lastMSN: Int { playlist.openParts.isEmpty ? playlist.nextSequence - 1 : playlist.nextSequence }

    /// Returns the discontinuity sequence number of each segment.
    static func discontinuities(_ playlist: MediaPlaylist) -> [Int] {
        var number = playlist.discontinuitySequence
        return playlist.segments.map { segment in
            if segment.startsDiscontinuity { number += 1 }
            return number
        }
    }
}

extension MediaPlaylist {
    /// The target duration in seconds, bounded for use in timers.
    var target: Double { Double(min(max(targetDuration, 1), 3600)) }

    /// The media sequence numbers of the segments.
    var sequences: Range<Int> { mediaSequence..<mediaSequence + segments.count }

    /// Returns a listed segment by its media sequence number.
    func segment(_ number: Int) -> MediaSegment? {
        sequences.contains(number) ? segments[number - mediaSequence] : nil
    }
}
