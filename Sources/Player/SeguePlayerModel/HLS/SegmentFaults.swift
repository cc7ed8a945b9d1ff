internal import SegueBase
internal import SeguePlaylists

/// Finds the stretches of a stream's segments that lack audio or video that the stream has elsewhere, and the segments
/// whose timestamps do not follow those before them.
struct SegmentFaults: Sendable {
    /// The fault of a stretch.
    enum Fault: Sendable {
        case noAudio
        case noVideo
        /// The timestamps jump without a discontinuity.
        case timestampJump
    }

    /// A stretch of the item's timeline with a fault.
    struct Stretch: Sendable, Equatable {
        let start: Duration
        let end: Duration
        let fault: Fault
        /// True if no segment before it had such media.
        var isAtStart = false

        /// The error of a platform on which the item fails there.
        func failure(of url: String) -> PlaybackError {
            let what =
                switch fault {
                case .noAudio: "the segment has no audio, although earlier ones have"
                case .noVideo: "the segment has no video, although earlier ones have"
                case .timestampJump: "the segment's timestamps do not follow those of the segment before it"
                }
            return PlaybackError(.media, code: 1, "\(what): \(url)")
        }
    }

    /// The minimum length of a stretch.
    ///
    /// Choice: longer than the offset of audio and video at the border of a segment, which the next segment contains.
    private static let least = Duration.milliseconds(500)
    /// The minimum length at the end of a segment, after which the next one may contain the rest.
    private static let leastAtEnd = Duration.seconds(1)

    /// The maximum difference of a segment's timestamps from its place in the playlist.
    private static let mostDrift = Duration.seconds(2)
    /// The time after which the timestamps of a transport stream begin again: 2^33 ticks of 90 kHz.
    private static let wrap = Duration.seconds(1 << 33) / 90000

    private var audioEnd: Duration?
    private var videoEnd: Duration?
    private var slotEnd: Duration?
    /// The timestamps at which the next segment may begin: the end of the last one by its media and by the playlist;
    /// nil if the bytes do not state it.
    private var next: ClosedRange<Duration>?
    /// The difference between the timeline and the timestamps of the current discontinuity.
    private var offset: Duration?

    /// Returns the stretches that a segment reveals: those before its media, or all of it.
    ///
    /// - Parameters:
    ///   - tracks: The tracks that the stream has.
    ///   - isLast: True if no segment follows.
    mutating func stretches(
        in slot: SegmentTimeline.Slot,
        _ inspection: SegmentInspection,
        tracks: ItemTracks,
        isLast: Bool
    ) -> [Stretch] {
        if slotEnd != slot.start || slot.startsDiscontinuity {
            (audioEnd, videoEnd, offset, next) = (nil, nil, nil, nil)
        }
        slotEnd = slot.end
        guard let first = inspection.start else { return [] }
        let start = Duration(first)
        let jumps = isJump(to: start, wraps: inspection.layout == .transportStream)
        let ends = inspection.tracks.filter { $0.kind == .audio || $0.kind == .video }.compactMap(SegmentFaults.end)
        let listedEnd = start + (slot.end - slot.start)
        next = ends.max().map { min($0, listedEnd)...max($0, listedEnd) }
        var shift = offset ?? slot.start - start
        let drift = start + shift - slot.start
        if max(drift, .zero - drift) > Self.mostDrift {
            shift = slot.start - start
            (audioEnd, videoEnd) = (nil, nil)
        }
        offset = shift
        let audio = SegmentFaults.extent(of: .audio, in: inspection, shift: shift, upTo: slot.end)
        let video = SegmentFaults.extent(of: .video, in: inspection, shift: shift, upTo: slot.end)
        // A stream of audio alone, or of video alone, lacks nothing that it has elsewhere.
        let reach = min(slot.end, max(audio?.end ?? slot.start, video?.end ?? slot.start))
        var found = jumps ? [Stretch(start: slot.start, end: slot.end, fault: .timestampJump)] : []
        for isOfAudio in [true, false] where isOfAudio ? tracks.hasAudio : tracks.hasVideo {
            let extent = isOfAudio ? audio : video
            let fault: Fault = isOfAudio ? .noAudio : .noVideo
            let known = isOfAudio ? audioEnd : videoEnd
            let before = known ?? slot.start
            if let extent, extent.start - before > Self.least {
                found.append(Stretch(start: before, end: extent.start, fault: fault, isAtStart: known == nil))
            }
            var end = max(before, extent?.end ?? before)
            if reach - end > Self.leastAtEnd, extent == nil || isLast {
                let isAtStart = known == nil && extent == nil
                found.append(Stretch(start: end, end: slot.end, fault: fault, isAtStart: isAtStart))
                end = slot.end
            }
            // A stretch at the start goes on until there are such media.
            guard extent != nil || known != nil else { continue }
            if isOfAudio { audioEnd = end } else { videoEnd = end }
        }
        return found
    }

    /// Returns whether a segment's first timestamp is far from the end of the segment before it.
    private func isJump(to start: Duration, wraps: Bool) -> Bool {
        guard let next else { return false }
        var start = start
        if wraps, start - next.lowerBound < .zero - Self.wrap / 2 { start += Self.wrap }
        return next.lowerBound - start > Self.mostDrift || start - next.upperBound > Self.mostDrift
    }

    /// The part of the timeline with a kind of media, up to the end of the segment if the bytes do not state it; nil if
    /// the segment has none.
    private static func extent(
        of kind: SegmentTrack.Kind,
        in inspection: SegmentInspection,
        shift: Duration,
        upTo end: Duration
    ) -> (start: Duration, end: Duration)? {
        guard let track = inspection.tracks.first(where: { $0.kind == kind && $0.start != nil }),
            let start = track.start.map({ Duration($0) + shift })
        else { return nil }
        return (start, max(start, SegmentFaults.end(of: track).map { $0 + shift } ?? end))
    }

    /// The end of a track's media on its own clock; nil if the bytes do not state it.
    private static func end(of track: SegmentTrack) -> Duration? {
        guard let start = track.start else { return nil }
        if let duration = track.duration { return Duration(start + duration) }
        // A single packet may hold the whole segment.
        return (track.samples ?? 0) > 1 ? track.last.map { Duration($0) } : nil
    }
}
