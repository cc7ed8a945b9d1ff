import SegueBase
import SeguePackager
import SeguePlaylists

/// The media playlists of an item; all of them have the segment boundaries and target duration of the plan.
struct MediaPlaylistBuilder {
    let presentation: any Presenting
    let device: DeviceProfile
    let container: SegmentContainer
    /// The start time; nil for the beginning.
    let start: Rational?

    /// Returns the playlist of a rendition's segments.
    ///
    /// - Parameters:
    ///   - extent: Its start and end.
    ///   - layout: The byte ranges of its segments, or nil for segments in files of their own.
    /// - Returns: The playlist.
    /// - Throws: ``PackagingError`` if the item has no I-frames.
    func playlist(
        of rendition: Rendition,
        _ extent: RenditionExtent,
        _ layout: WholeLayout?
    ) throws(PackagingError) -> MediaPlaylist {
        let pieces = Pieces(builder: self, rendition: rendition, layout: layout)
        let planned = presentation.listedSegments
        let all = planned.map { pieces.segment($0, duration: $0.duration, startsDiscontinuity: $0.startsDiscontinuity) }
        let target = targetDuration(for: all)
        guard rendition.video == .keyframes else {
            var listed = Array(all.prefix(extent.segmentCount))
            // A rendition that ends early has a shorter last segment (RFC 8216, 4.3.2.1: the duration of the
            // segment).
            if isComplete, let final = listed.indices.last {
                listed[final].duration = extent.end - planned[final].start
            }
            // I-frames that start a little late have a shorter first segment; a wider gap stays, for common
            // boundaries.
            let late = extent.lateStart
            if late > .zero, late < Rational(1, 2), let first = listed.first, first.duration > late {
                listed[0].duration = first.duration - late
            }
            return started(MediaPlaylist(segments: listed, targetDuration: target, isIndependent: extent.isIndependent))
        }
        var last = -1
        let frames = try presentation.keyframes().filter { $0.segment < planned.count }.map { frame in
            defer { last = frame.segment }
            let isBroken = planned[last + 1...frame.segment].contains(where: \.startsDiscontinuity)
            return pieces.segment(planned[frame.segment], duration: frame.duration, startsDiscontinuity: isBroken)
        }
        var playlist = MediaPlaylist(
            segments: frames,
            targetDuration: max(target, MediaPlaylist.targetDuration(for: frames)),
            isIndependent: true
        )
        playlist.isIFramesOnly = true
        return started(playlist)
    }

    /// Returns the playlist of subtitles: one WebVTT segment for each segment of the plan, possibly without text.
    ///
    /// - Returns: The playlist.
    func playlist(of subtitles: SubtitlesSource) -> MediaPlaylist {
        let path = address(.subtitles(0, subtitles)).segmentPaths
        let segments = presentation.listedSegments.map { segment in
            MediaSegment(
                uri: path(segment.number),
                duration: segment.duration,
                startsDiscontinuity: segment.startsDiscontinuity
            )
        }
        let target = targetDuration(for: segments)
        return started(MediaPlaylist(segments: segments, targetDuration: target, isIndependent: true))
    }

    private var isComplete: Bool { presentation.identity.isComplete }

    /// The target duration, which must not change while segments are added (RFC 8216, 6.2.1).
    ///
    /// Choice: 10 s for a file that has grown; cuts are at most 9 s apart if there is a keyframe at least every second.
    private func targetDuration(for segments: [MediaSegment]) -> Int {
        max(MediaPlaylist.targetDuration(for: segments), presentation.identity.growsFrom == nil ? 1 : 10)
    }

    /// Returns a playlist that starts at the requested time, and grows if the file does.
    ///
    /// A recording in progress starts at its beginning, like any other item; without a start, players begin at its end.
    private func started(_ playlist: MediaPlaylist) -> MediaPlaylist {
        var playlist = playlist
        playlist.start = start.map { PlaylistStart(timeOffset: $0, isPrecise: true) }
        if !isComplete {
            (playlist.kind, playlist.hasEndList) = (.event, false)
            playlist.start = playlist.start ?? PlaylistStart(timeOffset: .zero, isPrecise: true)
        }
        return playlist
    }

    private func address(_ piece: SegmentAddress.Piece) -> SegmentAddress {
        SegmentAddress(presentation, for: device, in: container, piece)
    }

    /// The pieces of one rendition, each in a file of its own or all in one.
    private struct Pieces {
        /// The path of a piece, by its number.
        private let path: (Int) -> String
        private let ranges: [Int: Range<Int64>]
        private let map: MediaMap?

        init(builder: MediaPlaylistBuilder, rendition: Rendition, layout: WholeLayout?) {
            guard let layout else {
                path = builder.address(.segment(0, rendition)).segmentPaths
                ranges = [:]
                map =
                    switch builder.container {
                    case .fmp4: MediaMap(uri: builder.address(.initSegment(rendition)).path)
                    case .ts: nil
                    }
                return
            }
            let uri = builder.address(.whole(rendition)).path
            path = { _ in uri }
            ranges = Dictionary(uniqueKeysWithValues: zip(layout.numbers, layout.ranges))
            map = layout.initRange.map { MediaMap(uri: uri, byteRange: ByteRange($0)) }
        }

        func segment(_ planned: PlannedSegment, duration: Rational, startsDiscontinuity: Bool) -> MediaSegment {
            MediaSegment(
                uri: path(planned.number),
                duration: duration,
                byteRange: ranges[planned.number].map { ByteRange($0) },
                startsDiscontinuity: startsDiscontinuity,
                map: map
            )
        }
    }
}

extension ByteRange {
    fileprivate init(_ range: Range<Int64>) { self.init(offset: range.lowerBound, length: Int64(range.count)) }
}
