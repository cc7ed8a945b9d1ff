internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Cover art as still video: a keyframe and repeated frames.
///
/// Every segment holds the same coded frames, as many as needed.
struct StillImage: Sendable {
    /// The cover art stream.
    let stream: StreamInfo
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// The encoder's configuration, for init segments.
    let parameters: CodecParameters
    /// The keyframe and the repeated frames, with start codes.
    let coded: [[UInt8]]
    /// The frame interval, in seconds.
    let interval: Rational

    /// The default frame interval, in seconds.
    private static let usualInterval = Rational(1)
    /// The minimum number of frames in a plan: Chromium's transport stream parser reports nothing before eight frames
    /// (`kHistorySize` in es_adapter_video.cc, plus its lookahead).
    private static let leastCount: Int64 = 9
    /// The minimum frame interval, in seconds.
    private static let leastInterval = Rational(1, 25)
    /// The limits: full-screen art is not worth its bits, and old phones support no more.
    private static let limits = VideoLimits(longSide: 640, shortSide: 640, profile: .baseline)
    /// x264's constant qualities, the best first: the first within ``wishedSize`` is used, otherwise the last.
    private static let qualities = [18, 22, 26, 30, 34]
    /// The preferred keyframe size, in bytes, next to which repeated frames are negligible: 16 kbit/s at the usual
    /// segment duration.
    private static let wishedSize = 12_000
    /// The maximum number of frames in a segment; the last stays until the end.
    private static let greatestCount = 40
    /// The maximum image area, in pixels; larger images take too much memory to decode.
    private static let greatestArea = 40_000_000

    /// Decodes a file's art and encodes it within the device's limits; throws ``PackagingError`` without an image.
    init(
        of stream: StreamInfo,
        file: String,
        limits device: VideoLimits,
        plan: SegmentPlan,
        cancellation: Cancellation
    ) throws {
        guard stream.width * stream.height <= Self.greatestArea else {
            throw PackagingError(
                .nothingPlayable,
                file: file,
                "the cover art exceeds \(Self.greatestArea / 1_000_000) megapixels"
            )
        }
        var limits = Self.limits
        limits.longSide = min(limits.longSide, device.longSide)
        limits.shortSide = min(limits.shortSide, device.shortSide)
        limits.level = device.level
        let halvings = Self.halvings(stream, limits)
        guard let art = try Self.decode(stream, file: file, halvings: halvings, cancellation) else {
            throw PackagingError(.nothingPlayable, file: file, "the cover art cannot be decoded")
        }
        let isHalved = halvings > 0 && art.width << halvings >= stream.width && art.height << halvings >= stream.height
        let size = limits.size(for: isHalved ? stream.width : art.width, isHalved ? stream.height : art.height)
        let image = try Scaler(
            from: .init(width: art.width, height: art.height, pixelFormat: art.pixelFormat ?? ""),
            to: .init(width: size.width, height: size.height, pixelFormat: "yuv420p")
        ).convert(art)
        let interval = Self.interval(for: plan)
        let encode = { (quality: Int) in
            try cancellation.check("encode", file: file)
            return try Self.encode(image, interval: interval, quality: quality, limits: limits)
        }
        guard let made = try Self.best(of: encode),
            let repeated = RepeatedFrames(
                parameterSets: VideoConfiguration(codec: .h264, extradata: made.parameters.extradata).parameterSets
            )
        else { throw PackagingError(.nothingPlayable, file: file, "the cover art cannot be encoded") }
        self.stream = stream
        (width, height) = size
        parameters = made.parameters
        coded = [made.key] + (1..<Self.greatestCount).map(repeated.frame)
        self.interval = interval
    }

    /// The keyframe of the best quality within ``wishedSize``; of the worst if none is.
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

    /// The frame interval, in seconds.
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
        // Demuxers return attached images first.
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

    /// The number of times a JPEG decoder may halve the image and still exceed the limits.
    private static func halvings(_ stream: StreamInfo, _ limits: VideoLimits) -> Int {
        guard stream.codec == "mjpeg", stream.width > 0, stream.height > 0 else { return 0 }
        let size = limits.size(for: stream.width, stream.height)
        return (0...3).last { stream.width >> $0 >= size.width && stream.height >> $0 >= size.height } ?? 0
    }

    /// A coded keyframe with start codes, and its configuration.
    private struct Keyframe {
        var parameters: CodecParameters
        var key: [UInt8]
    }

    private static func encode(
        _ image: Frame,
        interval: Rational,
        quality: Int,
        limits: VideoLimits
    ) throws -> Keyframe? {
        // Slower presets do not improve a single frame.
        let options = [
            "preset": "veryfast", "tune": "stillimage", "crf": "\(quality)", "profile": limits.profile.rawValue,
            "x264-params": "keyint=infinite:scenecut=0:mbtree=0:rc-lookahead=0", "colorspace": "smpte170m",
            "color_range": "tv",
        ]
        let encoder = try VideoEncoder(
            named: "libx264",
            format: VideoEncoder.Format(
                width: image.width,
                height: image.height,
                pixelFormat: "yuv420p",
                timeBase: interval,
                frameRate: Rational(1) / interval
            ) {
                $0.bFrames = 0
            },
            options: options
        )
        var key: [UInt8]?
        image.pts = 0
        try encoder.encode(image, forceKey: true) { key = $0.bytes }
        try encoder.encode(nil) { key = key ?? $0.bytes }
        return key.map { Keyframe(parameters: encoder.parameters, key: $0) }
    }
}

extension VideoTrack {
    /// Places a still image on a plan: a keyframe at each segment start and more frames at the interval; `timescale` is
    /// the audio's, so that both start exactly together.
    init(still image: StillImage, plan: SegmentPlan, timescale: Int64) {
        var times: [Int64] = []
        var keys: [Int] = []
        let ends = plan.segments.map { ($0.end + plan.origin).ceiled(scale: timescale) }
        let step = image.interval.rounded(scale: timescale)
        for segment in plan.segments {
            keys.append(times.count)
            let start = (segment.start + plan.origin).ceiled(scale: timescale)
            var (time, count) = (start, 0)
            while count == 0 || (time + step / 2 <= ends[segment.number] && count < image.coded.count) {
                times.append(time)
                (time, count) = (time + step, count + 1)
            }
        }
        source = .still(image)
        stream = image.stream
        configuration = VideoConfiguration(codec: .h264, extradata: image.parameters.extradata)
        self.timescale = timescale
        firstPacket = 0
        joined = nil
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

    /// The still image; nil for video.
    var still: StillImage? {
        guard case .still(let image) = source else { return nil }
        return image
    }
}
