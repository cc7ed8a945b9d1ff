internal import SegueBase
internal import SegueFFmpeg

/// An encoder for arbitrary frame ranges of transcoded video, with reproducible output.
///
/// Decoding begins at the preceding keyframe (an earlier one if the container's keyframe is false), encoding at the
/// first frame; no state is carried between ranges.
struct VideoTranscoder: Sendable {
    /// A coded frame: its number, and its bytes with start codes.
    struct Coded: Sendable {
        var place: Int
        var bytes: [UInt8]
        var isKey: Bool
    }

    let index: StreamIndex
    let track: VideoTrack
    let transcoded: TranscodedVideo
    let source: PacketSource
    /// The cache of coded frames.
    let kept: CodedPieces<VideoStretch, Coded>

    /// The reasons to restart decoding.
    private enum Retry: Error {
        /// The first decoded frame refers to earlier ones.
        case fromEarlier
        /// An interlaced frame needs its neighbors.
        case withNeighbours
    }

    /// Encodes a range of frames in display order, beginning with a keyframe; undecodable frames are dropped.
    func frames(_ range: Range<Int>, quality: Double = VideoEncoderSettings.quality) throws -> [Coded] {
        guard !range.isEmpty else { return [] }
        var hasNeighbours = transcoded.settings.isInterlaced
        var fewer = 0
        while true {
            do {
                return try frames(range, quality: quality, hasNeighbours: hasNeighbours, without: fewer)
            } catch Retry.withNeighbours {
                hasNeighbours = true
            } catch Retry.fromEarlier {
                fewer = max(1, fewer * 4)
            }
        }
    }

    private func frames(
        _ range: Range<Int>,
        quality: Double,
        hasNeighbours: Bool,
        without fewer: Int
    ) throws -> [Coded] {
        let wider = max(0, range.lowerBound - 1)..<min(track.pts.count, range.upperBound + 1)
        let decoded = hasNeighbours ? wider : range
        let numbers = transcoded.packets[decoded]
        guard let low = numbers.min() else { return [] }
        let firstTime = track.pts[decoded.lowerBound]
        let start = transcoded.decodingStart(forPacket: low, shownAt: firstTime, without: fewer)
        let places = Dictionary(grouping: range) { transcoded.packets[$0] }
        var run = try VideoRun(
            settings: transcoded.settings,
            quality: quality,
            times: track.pts,
            range: range,
            with: hasNeighbours,
            overlay: try overlay(on: range)
        )
        let decoding =
            try source.pool.decodings.take(
                stream: index.info.index,
                from: start,
                notAfter: index.packets[transcoded.packets[decoded.lowerBound]].pts
            ) ?? VideoDecoding(of: index, from: start, source: source)
        var isChecked = start == 0 || decoding.hasBegun
        let take = { (frame: Frame) in
            guard isChecked || frame.isKey else { throw Retry.fromEarlier }
            isChecked = true
            let due = places[Int(frame.opaque)]
            if !hasNeighbours, due != nil, frame.isInterlaced { throw Retry.withNeighbours }
            guard let due else { return try run.take(frame, place: nil) }
            for place in due { try run.take(frame, place: place) }
        }
        let last = range.upperBound - 1
        try decoding.frames(
            of: Set(numbers),
            keepingFrom: transcoded.packets[last],
            cancellation: source.cancellation,
            take
        )
        if isWorthKeeping(decoding, after: last) { source.pool.decodings.park(decoding) }
        return try run.finish()
    }

    /// The subtitles in a range of frames; nil if none are drawn.
    private func overlay(on range: Range<Int>) throws -> SubtitleOverlay? {
        guard let stream = transcoded.burned, let last = range.last else { return nil }
        let (start, end) = (track.pts[range.lowerBound], track.pts[last] + 1)
        let times = Rational(start, track.timescale)..<Rational(end, track.timescale)
        let captions = try BurnedSubtitles(stream: stream, film: index, source: source).captions(during: times)
        let size = (width: index.info.width, height: index.info.height)
        return SubtitleOverlay(captions, settings: transcoded.settings, source: size)
    }

    /// True if a frame is more than a few hundred packets from its keyframe.
    func isFar(_ place: Int) -> Bool { transcoded.packets[place] - start(for: place) >= ParkedDecodings.leastDistance }

    /// True if decoding to the frames after `last` again would take long.
    private func isWorthKeeping(_ decoding: VideoDecoding, after last: Int) -> Bool {
        last + 1 < track.pts.count && isFar(last + 1) && start(for: last + 1) == decoding.start
    }

    private func start(for place: Int) -> Int {
        transcoded.decodingStart(forPacket: transcoded.packets[place], shownAt: track.pts[place], without: 0)
    }
}
