internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Cover art as a film that stands still: one keyframe, and frames after it that change nothing.
///
/// Every segment holds the same coded frames, as many as it takes.
struct StillImage: Sendable {
    /// The stream that holds the art.
    let stream: StreamInfo
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// The encoder's configuration, for init segments.
    let parameters: CodecParameters
    /// The keyframe and the frames that follow it, with start codes.
    let coded: [[UInt8]]
    /// The time between frames, in seconds.
    let interval: Rational

    /// The time between frames, in seconds, of all but the shortest plans.
    private static let usualInterval = Rational(1)
    /// Frames of a plan at least: Chromium's reader of transport streams says nothing of what it has found until it has
    /// eight (`kHistorySize` in its es_adapter_video.cc, and what it waits for behind each).
    private static let leastCount: Int64 = 9
    /// The time between frames at least, in seconds.
    private static let leastInterval = Rational(1, 25)
    /// What the art is held to: a screen full is not worth its bits, and old phones take no more.
    private static let limits = VideoLimits(longSide: 640, shortSide: 640, profile: .baseline)
    /// x264's constant qualities, the best first: the first that keeps within ``wishedSize`` is taken, else the last.
    private static let qualities = [18, 22, 26, 30, 34]
    /// Bytes of the keyframe, beside which the frames after it count for nothing: 16 kilobits a second in segments of
    /// the usual length.
    private static let wishedSize = 12_000
    /// Frames in a segment at most; the last stays until the segment's end.
    private static let greatestCount = 40
    /// Pixels of the art at most: what would be decoded of more takes too much memory.
    private static let greatestArea = 40_000_000

    /// Decodes a file's art and encodes it.
    ///
    /// - Parameters:
    ///   - stream: The stream that holds the art.
    ///   - file: The file.
    ///   - device: What a device takes, where that is less.
    ///   - plan: The plan of the audio that it accompanies.
    ///   - cancellation: Cancels the work.
    /// - Throws: ``PackagingError`` if there is no frame in it; ``MediaError`` if libav fails.
    init(
        of stream: StreamInfo,
        file: String,
        limits device: VideoLimits,
        plan: SegmentPlan,
        cancellation: Cancellation
    ) throws {
        guard stream.width * stream.height <= Self.greatestArea else {
            throw PackagingError(.nothingPlayable, file: file, "its cover art is too large to be decoded")
        }
        var limits = Self.limits
        limits.longSide = min(limits.longSide, device.longSide)
        limits.shortSide = min(limits.shortSide, device.shortSide)
        limits.level = device.level
        let halvings = Self.halvings(stream, limits)
        guard let art = try Self.decode(stream, file: file, halvings: halvings, cancellation) else {
            throw PackagingError(.nothingPlayable, file: file, "its cover art cannot be decoded")
        }
        let isHalved = halvings > 0 && art.width << halvings >= stream.width && art.height << halvings >= stream.height
        let size = limits.size(for: isHalved ? stream.width : art.width, isHalved ? stream.height : art.height)
        let picture = try Scaler(
            from: art.width,
            art.height,
            pixelFormat: art.pixelFormat ?? "",
            to: size.width,
            size.height,
            pixelFormat: "yuv420p"
        ).convert(art)
        let interval = Self.interval(for: plan)
        let encode = { (quality: Int) in
            try cancellation.check("encode", file: file)
            return try Self.encode(picture, interval: interval, quality: quality, limits: limits)
        }
        guard let made = try Self.best(of: encode),
            let repeated = RepeatedFrames(
                parameterSets: VideoConfiguration(codec: .h264, extradata: made.parameters.extradata).parameterSets
            )
        else { throw PackagingError(.nothingPlayable, file: file, "its cover art cannot be encoded") }
        self.stream = stream
        (width, height) = size
        parameters = made.parameters
        coded = [made.key] + (1..<Self.greatestCount).map(repeated.picture)
        self.interval = interval
    }

    /// The keyframe in the best quality that keeps within ``wishedSize``; in the worst where none does.
    private static func best(of encode: (Int) throws -> Keyframe?) rethrows -> Keyframe? {
        var (low, high) = (0, qualities.count - 1)
        var known: [Int: Keyframe] = [:]
        while low < high {
            let middle = (low + high) / 2
            guard let made = try encode(qualities[middle]) else { return nil }
            known[middle] = made
            if made.key.count <= wishedSize { high = middle } else { low = middle + 1 }
        }
        return try known[low] ?? encode(qualities[low])
    }

    /// The time between frames, in seconds.
    private static func interval(for plan: SegmentPlan) -> Rational {
        min(usualInterval, max(leastInterval, plan.duration / Rational(leastCount)))
    }

    private static func decode(
        _ stream: StreamInfo,
        file: String,
        halvings: Int,
        _ cancellation: Cancellation
    ) throws -> Frame? {
        let input = try FileLook.open(path: file, cancellation: cancellation)
        input.keepOnly(streams: [stream.index])
        let decoder = try Decoder(stream: stream, file: file, options: ["lowres": "\(halvings)"])
        var result: Frame?
        let take = { (frame: Frame) in
            if result == nil, frame.width > 0, frame.height > 0 { result = frame.taken() }
        }
        let packet = Packet()
        // Demuxers give attached image before anything else.
        var left = 4 * (input.streams.count + 1)
        while result == nil, left > 0, try input.read(into: packet) {
            left -= 1
            guard packet.streamIndex == stream.index else { continue }
            do {
                try decoder.decode(packet, take)
            } catch let error as MediaError {
                if error.isCancelled { throw error }
            }
        }
        if result == nil { try? decoder.decode(nil, take) }
        return result
    }

    /// How often the sides of a JPEG frame are halved by decoding no more of it than that needs.
    private static func halvings(_ stream: StreamInfo, _ limits: VideoLimits) -> Int {
        guard stream.codec == "mjpeg", stream.width > 0, stream.height > 0 else { return 0 }
        let size = limits.size(for: stream.width, stream.height)
        return (0...3).last { stream.width >> $0 >= size.width && stream.height >> $0 >= size.height } ?? 0
    }

    /// A coded keyframe, with start codes, and the configuration that goes with it.
    private struct Keyframe {
        var parameters: CodecParameters
        var key: [UInt8]
    }

    private static func encode(
        _ picture: Frame,
        interval: Rational,
        quality: Int,
        limits: VideoLimits
    ) throws -> Keyframe? {
        // Slower presets make a single frame no better.
        let options = [
            "preset": "veryfast", "tune": "stillimage", "crf": "\(quality)", "profile": limits.profile.rawValue,
            "x264-params": "keyint=infinite:scenecut=0:mbtree=0:rc-lookahead=0", "colorspace": "smpte170m",
            "color_range": "tv",
        ]
        let encoder = try VideoEncoder(
            named: "libx264",
            format: VideoEncoder.Format(
                width: picture.width,
                height: picture.height,
                pixelFormat: "yuv420p",
                timeBase: interval,
                frameRate: Rational(1) / interval,
                bFrames: 0
            ),
            options: options
        )
        var key: [UInt8]?
        picture.pts = 0
        try encoder.encode(picture, forceKey: true) { key = $0.bytes }
        try encoder.encode(nil) { key = key ?? $0.bytes }
        return key.map { Keyframe(parameters: encoder.parameters, key: $0) }
    }
}

extension VideoTrack {
    /// Places a still frame on a plan: a keyframe where each segment begins, and one more frame each second, or more of
    /// them where that would be few.
    ///
    /// - Parameters:
    ///   - picture: The frame.
    ///   - plan: The plan of the audio that it accompanies.
    ///   - timescale: The unit of the audio's times, so that both begin exactly together.
    init(still picture: StillImage, plan: SegmentPlan, timescale: Int64) {
        var times: [Int64] = []
        var keys: [Int] = []
        let ends = plan.segments.map { ($0.end + plan.origin).ceiled(scale: timescale) }
        let step = picture.interval.rounded(scale: timescale)
        for segment in plan.segments {
            keys.append(times.count)
            let start = (segment.start + plan.origin).ceiled(scale: timescale)
            var (time, count) = (start, 0)
            while count == 0 || (time + step / 2 <= ends[segment.number] && count < picture.coded.count) {
                times.append(time)
                (time, count) = (time + step, count + 1)
            }
        }
        source = .still(picture)
        stream = picture.stream
        configuration = VideoConfiguration(codec: .h264, extradata: picture.parameters.extradata)
        self.timescale = timescale
        firstPacket = 0
        pts = TimeList(times)
        dts = pts
        lastDuration = max(1, (ends.last ?? 0) - (times.last ?? 0))
        self.keys = keys
        keyEpochs = keys.map { _ in 0 }
        changedKeys = []
        leadingFrames = 0
        trailingFrames = 0
        firstShown = times.first ?? 0
        lastShown = times.last ?? 0
    }

    /// The art that it shows; nil for a film.
    var still: StillImage? {
        guard case .still(let picture) = source else { return nil }
        return picture
    }
}
