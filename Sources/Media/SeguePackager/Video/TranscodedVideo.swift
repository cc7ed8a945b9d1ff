internal import SegueBase
internal import SegueFFmpeg

/// Which packets of the source the frames of a transcoded film come from, and how they are transcoded.
struct TranscodedVideo: Sendable {
    /// Why the source's coding does not do.
    let reason: String
    /// How they are encoded.
    let settings: VideoEncoderSettings
    /// The encoder's configuration, for init segments.
    let parameters: CodecParameters
    /// For each frame, in the order of showing, the number of its packet in the index; see ``HeldFrames`` for why one
    /// may be there more than once.
    let packets: [Int]
    /// Packets at which decoding can begin, and when their frames are shown.
    let keys: [(packet: Int, time: Int64)]

    /// How much may have to be decoded for any frame, in macroblocks: some minutes' work.
    ///
    /// That is 45 minutes of 720p at 25 frames per second with one keyframe only. Going on from one segment to the next
    /// costs no more than in other films, see ``VideoDecoding``; a jump into the middle takes its time.
    private static let greatestEffort = 600_000_000

    /// Refuses a film of which too much would have to be decoded for a segment.
    fileprivate static func checkDistances(in index: StreamIndex, file: String) throws(PackagingError) {
        let starts = index.packets.indices.filter { index.packets[$0].isKey && $0 > 0 } + [index.packets.count]
        let longest = zip([0] + starts, starts).map { $1 - $0 }.max() ?? 0
        guard longest * VideoLevel.macroblocks(index.info.width, index.info.height) > greatestEffort else { return }
        throw PackagingError(
            .sparseKeyframes,
            file: file,
            "its video has no keyframe among \(longest) pictures, too many to be decoded for a segment"
        )
    }

    /// Where decoding begins for frames of packets from `packet` on that are shown from `time` on.
    ///
    /// A frame that is decoded after a keyframe but shown before it may refer to what is before the keyframe.
    ///
    /// - Parameters:
    ///   - packet: The first packet in the order of decoding.
    ///   - time: The first time.
    ///   - fewer: The number of keyframes in a row are no place to begin, whatever the container says of them.
    /// - Returns: The packet with which decoding begins.
    func decodingStart(forPacket packet: Int, shownAt time: Int64, without fewer: Int) -> Int {
        let end = keys.partitioningIndex { $0.packet > packet }
        guard end > 0 else { return 0 }
        let place = (keys[..<end].lastIndex { $0.time <= time } ?? 0) - fewer
        return keys.indices.contains(place) ? keys[place].packet : 0
    }
}

/// What the first frame that a stream gives looks like.
struct DecodedFrame {
    /// The number of its packet in the index.
    var packet: Int
    /// What kind of frame it is.
    var input: VideoFilterChain.Input
    /// What its numbers mean, as far as it says so.
    var colour: [String: String]
    /// True if it is interlaced.
    var isInterlaced: Bool

    /// The number of packets may pass until the first frame.
    private static let patience = 300

    /// Decodes a stream until it gives a frame; nil where it gives none.
    static func first(of index: StreamIndex, reader: PacketReader) throws -> DecodedFrame? {
        let decoder = try Decoder(stream: index.info, file: reader.file)
        var result: DecodedFrame?
        let note = { (frame: Frame) in
            guard result == nil, frame.width > 0, frame.height > 0 else { return }
            result = DecodedFrame(
                packet: Int(frame.opaque),
                input: VideoFilterChain.Input(frame),
                colour: frame.colour,
                isInterlaced: frame.isInterlaced
            )
        }
        try reader.begin([index.info.index: 0..<min(patience, index.packets.count)])
        while result == nil, let (_, number, packet) = try reader.next() {
            do {
                try decoder.decode(packet, opaque: Int64(number), note)
            } catch let error as MediaError {
                if error.isCancelled { throw error }
            }
        }
        if result == nil { try? decoder.decode(nil, note) }
        return result
    }
}

extension VideoTrack {
    /// Places the frames of a stream that is transcoded in time.
    ///
    /// - Parameters:
    ///   - index: The stream, all its presentation times filled in.
    ///   - reason: Why it is not copied.
    ///   - limits: What the frames may be at most.
    ///   - cuts: When, in the track's own time, segments may begin; nil for every frame.
    ///   - reader: Reads its packets.
    /// - Throws: ``PackagingError`` if it has no frame; ``MediaError`` if it cannot be read or encoded.
    init(
        transcoding index: StreamIndex,
        reason: String,
        limits: VideoLimits,
        cuts: [Int64]? = nil,
        reader: PacketReader
    ) throws {
        guard let first = try DecodedFrame.first(of: index, reader: reader) else {
            throw PackagingError(
                .nothingPlayable,
                file: reader.file,
                "decoding its video (\(index.info.codec)) gives no picture"
            )
        }
        try TranscodedVideo.checkDistances(in: index, file: reader.file)
        let base = index.info.timeBase
        let scale = VideoTrack.timescale(for: base)
        let ticks = (base * Rational(scale)).numerator
        let packets = index.packets
        let firstTime = packets[first.packet].pts
        var shown = packets.indices.filter { !packets[$0].isDiscarded && !packets[$0].isHidden }
            .filter { packets[$0].pts >= firstTime && packets[$0].pts != IndexedPacket.unknown }
        shown.sort { (packets[$0].pts, $0) < (packets[$1].pts, $1) }
        var times: [Int64] = []
        times.reserveCapacity(shown.count)
        for packet in shown {
            let time = packets[packet].pts * ticks
            times.append(times.last.map { max(time, $0 + 1) } ?? time)
        }
        guard let lastTime = times.last, let lastPacket = shown.last else {
            throw PackagingError(.nothingPlayable, file: reader.file, "the video has no picture that is shown")
        }
        let frame = VideoTrack.typicalDuration(index.info, packets, ticks: ticks, scale: scale)
        let said = packets[lastPacket].duration * ticks
        let end = lastTime + (said > 0 && said < 10 * scale ? said : frame)
        let rate = Rational(Int64(times.count)) / Rational(end - times[0], scale)
        let settings = VideoEncoderSettings(index.info, first: first, timescale: scale, frameRate: rate, limits: limits)
        let places = cuts.map { VideoTrack.places(of: $0, in: times) }
        let kept = settings.kept(of: times, frameRate: rate, cuts: places ?? [0])
        if kept.count < times.count { (times, shown) = (kept.map { times[$0] }, kept.map { shown[$0] }) }
        if cuts == nil {
            let held = HeldFrames(times: times, packets: shown, end: end, timescale: scale)
            (times, shown) = (held.times, held.packets)
        }
        let parameters = try settings.open().parameters
        source = .transcoded(
            TranscodedVideo(
                reason: reason,
                settings: settings,
                parameters: parameters,
                packets: shown,
                keys: packets.indices.filter { packets[$0].isKey && packets[$0].pts != IndexedPacket.unknown }
                    .map { ($0, packets[$0].pts * ticks) }
            )
        )
        stream = index.info
        configuration = VideoConfiguration(codec: .h264, extradata: parameters.extradata)
        timescale = scale
        firstPacket = 0
        pts = TimeList(times)
        dts = pts
        lastShown = times.last ?? lastTime
        lastDuration = end - lastShown
        let keys = cuts.map { VideoTrack.places(of: $0, in: times) } ?? Array(times.indices)
        self.keys = keys
        keyEpochs = keys.map { packets[shown[$0]].epoch }
        changedKeys = []
        leadingFrames = 0
        trailingFrames = 0
        firstShown = times[0]
    }

    /// The places of the frames that are shown at given times, or next after them; always the first one too.
    private static func places(of cuts: [Int64], in times: [Int64]) -> [Int] {
        var places = [0]
        for cut in cuts {
            let place = times.partitioningIndex { $0 >= cut }
            if place < times.count, place > places[places.count - 1] { places.append(place) }
        }
        return places
    }

    /// How the frames are transcoded; nil where they are copied.
    var transcoded: TranscodedVideo? {
        guard case .transcoded(let pictures) = source else { return nil }
        return pictures
    }
}
