internal import Media
internal import Timeline

/// Cover art as a film that stands still: one keyframe, and pictures after it that change nothing.
///
/// Every segment holds the same coded pictures, as many as it takes.
struct StillPicture: Sendable {
    /// The stream that holds the art.
    let stream: StreamInfo
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// The encoder's configuration, for init segments.
    let parameters: CodecParameters
    /// The keyframe and the pictures that follow it, with start codes.
    let coded: [[UInt8]]
    /// The time between pictures, in seconds.
    let interval: Rational

    /// The time between pictures, in seconds, of all but the shortest plans.
    private static let usualInterval = Rational(1)
    /// Pictures of a plan at the least: Chromium's reader of transport streams says nothing of what it has found until
    /// it has eight (`kHistorySize` in its es_adapter_video.cc, and what it waits for behind each).
    private static let leastCount: Int64 = 9
    /// The time between pictures at the least, in seconds.
    private static let leastInterval = Rational(1, 25)
    /// What the art is held to: a screen full is not worth its bits, and old phones take no more.
    private static let limits = PictureLimits(longSide: 640, shortSide: 640, profile: .baseline)
    /// x264's constant qualities, the best first: the first that keeps within ``wishedSize`` is taken.
    private static let qualities = [18, 22, 26, 30, 34]
    /// Bytes of the pictures of a segment of the usual length: 16 kilobits a second.
    private static let wishedSize = 12_000
    /// Pictures in a segment at the most; the last stays until the segment's end.
    private static let greatestCount = 40
    /// Pixels of the art at the most: what would be decoded of more takes too much memory.
    private static let greatestArea = 40_000_000

    /// Decodes a file's art and encodes it.
    ///
    /// - Parameters:
    ///   - stream: The stream that holds the art.
    ///   - file: The file.
    ///   - device: What a device takes, where that is less.
    ///   - plan: The plan of the sound that it accompanies.
    ///   - cancellation: Stops the work.
    /// - Throws: ``PackagingError`` when there is no picture in it; ``MediaError`` when libav fails.
    init(
        of stream: StreamInfo,
        file: String,
        limits device: PictureLimits,
        plan: SegmentPlan,
        cancellation: Cancellation
    ) throws {
        guard stream.width * stream.height <= Self.greatestArea else {
            throw PackagingError(.nothingPlayable, file: file, "its cover art is too large to be decoded")
        }
        guard let art = try Self.decode(stream, file: file, cancellation) else {
            throw PackagingError(.nothingPlayable, file: file, "its cover art cannot be decoded")
        }
        var limits = Self.limits
        limits.longSide = min(limits.longSide, device.longSide)
        limits.shortSide = min(limits.shortSide, device.shortSide)
        limits.level = device.level
        let size = limits.size(for: art.width, art.height)
        let picture = try Scaler(
            from: art.width,
            art.height,
            pixelFormat: art.pixelFormat ?? "",
            to: size.width,
            size.height,
            pixelFormat: "yuv420p"
        ).convert(art)
        let interval = Self.interval(for: plan)
        var made: (parameters: CodecParameters, coded: [[UInt8]])?
        for quality in Self.qualities {
            try cancellation.check("encode", file: file)
            let tried = try Self.encode(picture, interval: interval, quality: quality, limits: limits)
            made = tried
            let usual = tried.coded.prefix(Int(CutList.target.seconds)).reduce(0) { $0 + $1.count }
            if usual <= Self.wishedSize { break }
        }
        guard let made, !made.coded.isEmpty else {
            throw PackagingError(.nothingPlayable, file: file, "its cover art cannot be encoded")
        }
        self.stream = stream
        (width, height) = size
        (parameters, coded) = made
        self.interval = interval
    }

    /// The time between pictures, in seconds.
    private static func interval(for plan: SegmentPlan) -> Rational {
        min(usualInterval, max(leastInterval, plan.duration / Rational(leastCount)))
    }

    private static func decode(_ stream: StreamInfo, file: String, _ cancellation: Cancellation) throws -> Frame? {
        let input = try FileLook.open(path: file, cancellation: cancellation)
        input.keepOnly(streams: [stream.index])
        let decoder = try Decoder(stream: stream, file: file)
        var result: Frame?
        let take = { (frame: Frame) in
            if result == nil, frame.width > 0, frame.height > 0 { result = frame.taken() }
        }
        let packet = Packet()
        // Demuxers give attached pictures before anything else.
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

    private static func encode(
        _ picture: Frame,
        interval: Rational,
        quality: Int,
        limits: PictureLimits
    ) throws -> (parameters: CodecParameters, coded: [[UInt8]]) {
        var options = [
            "preset": "medium", "tune": "stillimage", "crf": "\(quality)", "profile": limits.profile.rawValue,
            "x264-params": "keyint=infinite:scenecut=0:mbtree=0", "colorspace": "smpte170m", "color_range": "tv",
        ]
        if let bounds = limits.levelBounds { options["level"] = "\(bounds.number)" }
        let encoder = try VideoEncoder(
            named: "libx264",
            width: picture.width,
            height: picture.height,
            pixelFormat: "yuv420p",
            timeBase: interval,
            frameRate: Rational(1) / interval,
            bFrames: 0,
            options: options
        )
        var coded: [[UInt8]] = []
        for number in 0..<greatestCount {
            picture.pts = Int64(number)
            try encoder.encode(picture, forceKey: number == 0) { coded.append($0.bytes) }
        }
        try encoder.encode(nil) { coded.append($0.bytes) }
        return (encoder.parameters, coded)
    }
}

extension VideoTrack {
    /// Places a still picture on a plan: a keyframe where each segment begins, and one more picture each second, or
    /// more of them where that would be few.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - plan: The plan of the sound that it accompanies.
    ///   - timescale: The unit of the sound's times, so that both begin exactly together.
    init(still picture: StillPicture, plan: SegmentPlan, timescale: Int64) {
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
        configuration = PictureConfiguration(codec: .h264, extradata: picture.parameters.extradata)
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
    var still: StillPicture? {
        guard case .still(let picture) = source else { return nil }
        return picture
    }
}
