internal import Media
internal import Timeline

/// Makes any pictures of a transcoded film, the same bytes whichever are asked for.
///
/// Decoding begins at the keyframe before the first picture (an earlier one where the container takes a picture for a
/// keyframe that is none), encoding with the first picture itself; nothing is left
/// over from one range to the next.
struct PictureEncoder: Sendable {
    /// A coded picture: its place among all, and its bytes with start codes.
    struct Coded {
        var place: Int
        var bytes: [UInt8]
        var isKey: Bool
    }

    let index: StreamIndex
    let track: VideoTrack
    let pictures: TranscodedPictures
    let source: PacketSource

    /// Why decoding has to begin again, elsewhere.
    private enum Retry: Error {
        /// The first picture that was decoded needs others before it.
        case fromEarlier
        /// A picture is interlaced, and needs its neighbours.
        case withNeighbours
    }

    /// The coded pictures of a range of places; those that libav cannot decode are left out.
    ///
    /// - Parameters:
    ///   - range: The places, among all pictures.
    ///   - quality: x264's constant quality.
    /// - Returns: The pictures, in the order of showing, the first a keyframe.
    /// - Throws: ``MediaError`` or ``PackagingError`` when the source cannot be read or the work is cancelled.
    func pictures(_ range: Range<Int>, quality: Double = PictureSettings.quality) throws -> [Coded] {
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
        guard let low = numbers.min(), let high = numbers.max() else { return [] }
        let firstTime = track.pts[decoded.lowerBound]
        let start = pictures.decodingStart(forPacket: low, shownAt: firstTime, without: fewer)
        let decoder = try Decoder(stream: index.info, file: source.file)
        let places = Dictionary(uniqueKeysWithValues: zip(pictures.packets[range], range))
        var run = try PictureRun(
            settings: pictures.settings,
            quality: quality,
            times: track.pts,
            range: range,
            with: hasNeighbours
        )
        let reader = source.reader()
        try reader.begin([index.info.index: start..<high + 1])
        var isChecked = start == 0
        let take = { (frame: Frame) in
            guard isChecked || frame.isKey else { throw Retry.fromEarlier }
            isChecked = true
            let place = places[Int(frame.opaque)]
            if !hasNeighbours, place != nil, frame.isInterlaced { throw Retry.withNeighbours }
            try run.take(frame, place: place)
        }
        while let (_, number, packet) = try reader.next() {
            try source.cancellation.check("encode", file: source.file)
            index.prepare(packet, number: number, isFirst: number == start && number > 0)
            try decode(packet, number, with: decoder, take)
        }
        try decode(nil, 0, with: decoder, take)
        return try run.finish()
    }

    /// Decodes a packet; what libav cannot decode is left out.
    private func decode(_ packet: Packet?, _ number: Int, with decoder: Decoder, _ take: (Frame) throws -> Void) throws
    {
        var failure: (any Error)?
        do {
            try decoder.decode(packet, opaque: Int64(number)) { frame in
                do { try take(frame) } catch {
                    failure = error
                    throw error
                }
            }
        } catch let error as MediaError where failure == nil {
            if error.isCancelled { throw error }
        }
    }
}
