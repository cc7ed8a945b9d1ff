internal import SegueBase
internal import SegueFFmpeg

/// The mapping of transcoded frames to source packets, with the encoder settings.
struct TranscodedVideo: Sendable {
    /// The reason for transcoding.
    let reason: String
    let settings: VideoEncoderSettings
    /// The encoder's configuration, for init segments.
    let parameters: CodecParameters
    /// The packet number of each frame, in display order; see ``HeldFrames`` for repetitions.
    let packets: [Int]
    /// The time range in which the first and the last frame are held, in seconds; nil if they are shown as in the source.
    let held: Range<Rational>?
    /// The bitmap subtitles that are drawn into the frames; nil without.
    let burned: StreamInfo?
    /// The keyframe packets with their presentation times.
    let keys: [(packet: Int, time: Int64)]

    /// The maximum work to decode any frame, in macroblocks: some minutes.
    ///
    /// It corresponds to 45 minutes of 720p at 25 fps with a single keyframe. Sequential segments are not slower than
    /// in other videos, see ``VideoDecoding``; a seek into the middle is.
    private static let greatestEffort = 600_000_000

    /// Throws if a segment would require too much decoding.
    fileprivate static func checkDistances(in index: StreamIndex, file: String) throws(PackagingError) {
        let starts = index.packets.indices.filter { index.packets[$0].isKey && $0 > 0 } + [index.packets.count]
        let longest = zip([0] + starts, starts).map { $1 - $0 }.max() ?? 0
        guard longest * VideoLevel.macroblocks(index.info.width, index.info.height) > greatestEffort else { return }
        throw PackagingError(
            .sparseKeyframes,
            file: file,
            "the video has no keyframe for \(longest) frames, too many to decode for one segment"
        )
    }

    /// The packets of displayed frames from a time on, in display order, and their increasing times.
    fileprivate static func shown(
        _ packets: PacketList,
        _ partial: [PartialPacket],
        from first: Int64,
        ticks: Int64
    ) -> (packets: [Int], times: [Int64]) {
        let partial = Set(partial.map(\.packet))
        var shown = packets.indices.filter { number in
            let packet = packets[number]
            return !packet.isDiscarded && !packet.isHidden && !partial.contains(number) && packet.pts >= first
                && packet.pts != IndexedPacket.unknown
        }
        shown.sort { (packets[$0].pts, $0) < (packets[$1].pts, $1) }
        var times: [Int64] = []
        times.reserveCapacity(shown.count)
        for packet in shown {
            let time = packets[packet].pts * ticks
            times.append(times.last.map { max(time, $0 + 1) } ?? time)
        }
        return (shown, times)
    }

    /// The frames displayed at given times or next after them, always including the first.
    fileprivate static func places(of cuts: [Int64], in times: [Int64]) -> [Int] {
        var places = [0]
        for cut in cuts {
            let place = times.partitioningIndex { $0 >= cut }
            if place < times.count, place > places[places.count - 1] { places.append(place) }
        }
        return places
    }

    /// Returns the packet at which decoding must start for frames from a packet and a time on.
    ///
    /// A frame decoded after a keyframe but displayed before it may refer to earlier frames. `fewer` excludes that many
    /// preceding keyframes that are none.
    func decodingStart(forPacket packet: Int, shownAt time: Int64, without fewer: Int) -> Int {
        let end = keys.partitioningIndex { $0.packet > packet }
        guard end > 0 else { return 0 }
        let place = (keys[..<end].lastIndex { $0.time <= time } ?? 0) - fewer
        return keys.indices.contains(place) ? keys[place].packet : 0
    }
}

/// The repetition of frames that stand still.
private struct Standing {
    /// The time range in which the first and the last frame are held, in seconds; nil if neither is.
    let held: Range<Rational>?
    /// True if each frame may start a segment.
    let isFree: Bool
    /// The duration of a frame.
    let step: Int64
    let timescale: Int64

    /// The mean of the first gaps without pauses, so that the rate of held frames is the video's; nil without any gap.
    static func step(of times: [Int64]) -> Int64? {
        let gaps = zip(times.dropFirst(), times).prefix(256).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        guard !gaps.isEmpty else { return nil }
        let regular = gaps.prefix { $0 <= 2 * gaps[gaps.count / 2] }
        return regular.reduce(0, +) / Int64(regular.count)
    }

    /// Adds the repetitions; returns the times, the packets, and the end of the last frame.
    func frames(_ times: [Int64], _ packets: [Int], end: Int64) -> (times: [Int64], packets: [Int], end: Int64) {
        var result = (times: times, packets: packets, end: end)
        if let held {
            let ends = HeldEnds(
                times: times,
                packets: packets,
                end: end,
                step: step,
                shown: held,
                timescale: timescale
            )
            result = (ends.times, ends.packets, ends.end)
        }
        guard isFree else { return result }
        let frames = HeldFrames(times: result.times, packets: result.packets, end: result.end, timescale: timescale)
        return (frames.times, frames.packets, result.end)
    }
}

/// The properties of a stream's first decoded frame.
struct DecodedFrame {
    /// The packet's number in the index.
    var packet: Int
    /// The frame's format.
    var input: VideoFilterChain.Input
    /// The declared color properties.
    var colour: [String: String]
    var isInterlaced: Bool
    /// The container's pixel aspect ratio; nil if it declares none.
    ///
    /// For a movie with several sample entries, libav 5.1 compares the size of the track with that of the last entry.
    var containerAspect: Rational?

    /// The maximum number of packets before the first frame.
    private static let patience = 300

    /// Decodes until the first frame; nil if there is none.
    static func first(of index: StreamIndex, reader: PacketReader) throws -> DecodedFrame? {
        let decoder = try Decoder(stream: index.info, file: reader.file)
        var result: DecodedFrame?
        let note = { (frame: Frame) in
            guard result == nil, frame.width > 0, frame.height > 0 else { return }
            result = DecodedFrame(
                packet: Int(frame.opaque),
                input: VideoFilterChain.Input(frame),
                colour: frame.colour,
                isInterlaced: frame.isInterlaced,
                containerAspect: index.extradataChanges.isEmpty ? index.info.sampleAspectRatio : nil
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
    // Size: each property of a track follows from the ones before it.
    /// Places the frames of a transcoded stream in time.
    ///
    /// - Parameters:
    ///   - index: The stream, with all presentation times.
    ///   - reason: The reason for transcoding.
    ///   - limits: The limits for the video.
    ///   - cuts: Predicts possible segment starts in track time; nil allows every frame.
    ///   - held: The time range in which the first and the last frame are held, in seconds; nil for the source's own.
    ///   - burned: The bitmap subtitles that are drawn into the frames; nil without.
    /// - Throws: ``PackagingError`` without frames; ``MediaError`` if reading or encoding fails.
    init(
        transcoding index: StreamIndex,
        reason: String,
        limits: VideoLimits,
        cuts: [Int64]? = nil,
        held: Range<Rational>? = nil,
        burned: StreamInfo? = nil,
        reader: PacketReader
    ) throws {
        let cuts = held == nil ? cuts : nil
        guard let first = try DecodedFrame.first(of: index, reader: reader) else {
            throw PackagingError(
                .nothingPlayable,
                file: reader.file,
                "decoding the video (\(index.info.codec)) gives no frame"
            )
        }
        try TranscodedVideo.checkDistances(in: index, file: reader.file)
        let base = index.info.timeBase
        let scale = VideoTrack.timescale(for: base)
        let ticks = (base * Rational(scale)).numerator
        let packets = index.packets
        var (shownPackets, times) = TranscodedVideo.shown(
            packets,
            index.partial,
            from: packets[first.packet].pts,
            ticks: ticks
        )
        guard let lastTime = times.last, let lastPacket = shownPackets.last else {
            throw PackagingError(.nothingPlayable, file: reader.file, "the video has no displayed frame")
        }
        let frame = VideoTrack.typicalDuration(index.info, packets, ticks: ticks, scale: scale)
        let said = packets[lastPacket].duration * ticks
        let steps = zip(times.dropFirst(), times).prefix(256).map { $0 - $1 }.sorted()
        let step = index.partial.isEmpty || steps.isEmpty ? nil : steps[steps.count / 2]
        var end = lastTime + (step ?? (said > 0 && said < 10 * scale ? said : frame))
        let rate = Rational(Int64(times.count)) / Rational(end - times[0], scale)
        let settings = VideoEncoderSettings(index.info, first: first, timescale: scale, frameRate: rate, limits: limits)
        let places = cuts.map { TranscodedVideo.places(of: $0, in: times) }
        let kept = settings.kept(of: times, frameRate: rate, cuts: places ?? [0])
        if kept.count < times.count { (times, shownPackets) = (kept.map { times[$0] }, kept.map { shownPackets[$0] }) }
        let standing = Standing(
            held: held,
            isFree: cuts == nil,
            step: Standing.step(of: times) ?? max(1, frame),
            timescale: scale
        )
        (times, shownPackets, end) = standing.frames(times, shownPackets, end: end)
        let parameters = try settings.open().parameters
        source = .transcoded(
            TranscodedVideo(
                reason: reason,
                settings: settings,
                parameters: parameters,
                packets: shownPackets,
                held: held,
                burned: burned,
                keys: packets.indices.filter { packets[$0].isKey && packets[$0].pts != IndexedPacket.unknown }
                    .map { ($0, packets[$0].pts * ticks) }
            )
        )
        stream = index.info
        configuration = VideoConfiguration(codec: .h264, extradata: parameters.extradata)
        timescale = scale
        joined = nil
        (firstPacket, leadingFrames, trailingFrames, changedKeys) = (0, 0, 0, [])
        pts = TimeList(times)
        dts = pts
        lastShown = times.last ?? lastTime
        lastDuration = end - lastShown
        let keys = cuts.map { TranscodedVideo.places(of: $0, in: times) } ?? Array(times.indices)
        self.keys = keys
        keyEpochs = keys.map { packets[shownPackets[$0]].epoch }
        firstShown = times[0]
    }

    /// The transcoding; nil for copied video.
    var transcoded: TranscodedVideo? {
        guard case .transcoded(let transcoded) = source else { return nil }
        return transcoded
    }
}
