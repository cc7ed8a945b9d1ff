internal import SegueBase
internal import SegueFFmpeg

/// Makes any frames of a transcoded film, the same bytes whichever are requested.
///
/// Decoding begins at the keyframe before the first frame (an earlier one where the container takes a frame for a
/// keyframe that is none), encoding with the first frame itself; nothing is left over from one range to the next.
struct VideoTranscoder: Sendable {
    /// A coded frame: its place among all, and its bytes with start codes.
    struct Coded: Sendable {
        var place: Int
        var bytes: [UInt8]
        var isKey: Bool
    }

    let index: StreamIndex
    let track: VideoTrack
    let pictures: TranscodedVideo
    let source: PacketSource
    /// What was coded already.
    let kept: CodedPieces<VideoStretch, Coded>

    /// Why decoding has to begin again, elsewhere.
    private enum Retry: Error {
        /// The first frame that was decoded needs others before it.
        case fromEarlier
        /// A frame is interlaced, and needs its neighbours.
        case withNeighbours
    }

    /// The coded frames of a range of places; those that libav cannot decode are left out.
    ///
    /// - Parameters:
    ///   - range: The places, among all frames.
    ///   - quality: x264's constant quality.
    /// - Returns: The frames, in the order of showing, the first a keyframe.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read or the work is cancelled.
    func pictures(_ range: Range<Int>, quality: Double = VideoEncoderSettings.quality) throws -> [Coded] {
        guard !range.isEmpty else { return [] }
        var hasNeighbours = pictures.settings.isInterlaced
        var fewer = 0
        while true {
            do {
                return try pictures(range, quality: quality, hasNeighbours: hasNeighbours, without: fewer)
            } catch Retry.withNeighbours {
                hasNeighbours = true
            } catch Retry.fromEarlier {
                fewer = max(1, fewer * 4)
            }
        }
    }

    private func pictures(
        _ range: Range<Int>,
        quality: Double,
        hasNeighbours: Bool,
        without fewer: Int
    ) throws -> [Coded] {
        let wider = max(0, range.lowerBound - 1)..<min(track.pts.count, range.upperBound + 1)
        let decoded = hasNeighbours ? wider : range
        let numbers = pictures.packets[decoded]
        guard let low = numbers.min() else { return [] }
        let firstTime = track.pts[decoded.lowerBound]
        let start = pictures.decodingStart(forPacket: low, shownAt: firstTime, without: fewer)
        let places = Dictionary(grouping: range) { pictures.packets[$0] }
        var run = try VideoRun(
            settings: pictures.settings,
            quality: quality,
            times: track.pts,
            range: range,
            with: hasNeighbours
        )
        let decoding =
            try source.pool.decodings.take(
                stream: index.info.index,
                from: start,
                notAfter: index.packets[pictures.packets[decoded.lowerBound]].pts
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
        try decoding.pictures(
            of: Set(numbers),
            keepingFrom: pictures.packets[last],
            cancellation: source.cancellation,
            take
        )
        if isWorthKeeping(decoding, after: last) { source.pool.decodings.park(decoding) }
        return try run.finish()
    }

    /// True if so much has to be decoded for a frame that it should not be done twice.
    ///
    /// - Parameter place: The frame's place.
    /// - Returns: True if there are more than some hundred packets since the keyframe.
    func isFar(_ place: Int) -> Bool { pictures.packets[place] - start(for: place) >= ParkedDecodings.leastDistance }

    /// True if whoever wants the frames after one would have to decode for long to get there.
    private func isWorthKeeping(_ decoding: VideoDecoding, after last: Int) -> Bool {
        last + 1 < track.pts.count && isFar(last + 1) && start(for: last + 1) == decoding.start
    }

    private func start(for place: Int) -> Int {
        pictures.decodingStart(forPacket: pictures.packets[place], shownAt: track.pts[place], without: 0)
    }
}
