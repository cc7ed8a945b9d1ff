internal import SegueBase
package import SeguePlaylists

/// The media playlists of a channel.
package struct ChannelPlaylist {
    /// The segments of a rendition and their URIs.
    package struct Rendition {
        /// The URI of a segment or a part.
        package var uri: (_ entry: ChannelProgramme.Entry, _ part: Int?) -> String
        /// The URI of a segment's init segment.
        package var map: (_ entry: ChannelProgramme.Entry) -> String
        package var isGap: (_ entry: ChannelProgramme.Entry) -> Bool
        /// Returns true if a segment has video.
        package var hasVideo: (_ entry: ChannelProgramme.Entry) -> Bool
        /// True if every segment can be decoded independently.
        package var isIndependent: Bool
        /// The URIs of the other renditions' playlists.
        package var others: [String]

        package init(
            uri: @escaping (_ entry: ChannelProgramme.Entry, _ part: Int?) -> String,
            map: @escaping (_ entry: ChannelProgramme.Entry) -> String,
            isGap: @escaping (_ entry: ChannelProgramme.Entry) -> Bool,
            hasVideo: @escaping (_ entry: ChannelProgramme.Entry) -> Bool,
            isIndependent: Bool,
            others: [String] = []
        ) {
            (self.uri, self.map, self.isGap, self.hasVideo) = (uri, map, isGap, hasVideo)
            (self.isIndependent, self.others) = (isIndependent, others)
        }
    }

    private let window: ChannelWindow
    private let rendition: Rendition

    /// Creates the playlists of a rendition at a time.
    package init(_ window: ChannelWindow, of rendition: Rendition) {
        (self.window, self.rendition) = (window, rendition)
    }

    /// The playlist, complete or as a delta update.
    ///
    /// - Parameter skip: The content that may be omitted; nil for a complete playlist.
    /// - Returns: The playlist.
    package func playlist(skipping skip: DeliveryDirectives.Skip? = nil) -> MediaPlaylist {
        let programme = window.programme
        let (segments, last) = (window.segments, window.last)
        let first = segments.first ?? window.open
        let target = Rational(Int64(programme.targetDuration))
        let part = Rational(programme.partTarget, 1_000_000)
        var playlist = MediaPlaylist(
            segments: segments.map(segment),
            kind: nil,
            hasEndList: false,
            targetDuration: programme.targetDuration,
            mediaSequence: first.place.sequence,
            isIndependent: rendition.isIndependent
        )
        // The tag of its own discontinuity is in the playlist, and players count it.
        playlist.discontinuitySequence = first.place.discontinuity - (first.place.startsDiscontinuity ? 1 : 0)
        playlist.serverControl = ServerControl(
            canSkipUntil: Rational(ChannelWindow.skipTargets) * target,
            holdBack: Rational(3) * target,
            partHoldBack: Rational(3) * part,
            canBlockReload: true
        )
        playlist.partTarget = part
        playlist.open = open
        playlist.preloadHints = hints
        playlist.renditionReports = rendition.others.map {
            RenditionReport(uri: $0, lastMSN: last.sequence, lastPart: last.part)
        }
        let count = window.skipped
        guard let skip, count > 0 else { return playlist }
        return playlist.delta(skipping: count, removedDateRanges: skip == .segmentsAndDateRanges ? [] : nil)
    }

    private func segment(_ entry: ChannelProgramme.Entry) -> MediaSegment {
        let place = entry.place
        var segment = MediaSegment(
            uri: rendition.uri(entry, nil),
            duration: Rational(place.end.microseconds - place.start.microseconds, 1_000_000),
            startsDiscontinuity: place.startsDiscontinuity,
            map: MediaMap(uri: rendition.map(entry))
        )
        segment.programDateTime = place.start.text
        segment.isGap = rendition.isGap(entry)
        if window.listsParts(of: entry) { segment.parts = parts(of: entry, window.programme.parts(of: entry).count) }
        return segment
    }

    private func parts(of entry: ChannelProgramme.Entry, _ count: Int) -> [PartialSegment] {
        let (isGap, hasVideo) = (rendition.isGap(entry), rendition.hasVideo(entry))
        return window.programme.parts(of: entry).prefix(count).enumerated().map { number, part in
            PartialSegment(
                uri: rendition.uri(entry, number),
                duration: Rational(Int64(part.microseconds), 1_000_000),
                isIndependent: part.hasKeyframe || !hasVideo,
                isGap: isGap
            )
        }
    }

    private var open: OpenSegment {
        let entry = window.open
        return OpenSegment(
            parts: parts(of: entry, window.openParts),
            startsDiscontinuity: entry.place.startsDiscontinuity,
            map: MediaMap(uri: rendition.map(entry)),
            programDateTime: entry.place.start.text
        )
    }

    /// The next part, with its init segment if that changes.
    private var hints: [PreloadHint] {
        let (entry, number) = (window.open, window.openParts)
        guard !rendition.isGap(entry) else { return [] }
        let part = PreloadHint(kind: .part, uri: rendition.uri(entry, number))
        let map = rendition.map(entry)
        let before = window.programme.entry(sequence: entry.place.sequence - 1).map(rendition.map)
        return number == 0 && map != before ? [PreloadHint(kind: .map, uri: map), part] : [part]
    }
}
