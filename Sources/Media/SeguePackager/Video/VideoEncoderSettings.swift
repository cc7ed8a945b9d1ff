internal import SegueBase
internal import SegueFFmpeg

/// The encoder settings of a title, shared by all segments so that one configuration fits.
struct VideoEncoderSettings: Sendable {
    /// libav's name of the encoder.
    static let encoder = "libx264"
    /// x264's constant quality.
    static let quality = 21.0

    let limits: VideoLimits
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// True if the first frame is interlaced.
    let isInterlaced: Bool
    /// The unit of frame times, per second.
    let timescale: Int64
    /// The frame rate, for rate control.
    let frameRate: Rational
    /// The filters from decoded to delivered frames.
    private let chain: VideoFilterChain
    private let first: VideoFilterChain.Input

    init(_ info: StreamInfo, first: DecodedFrame, timescale: Int64, frameRate: Rational, limits: VideoLimits) {
        self.limits = limits
        let aspect = first.containerAspect ?? first.input.aspect
        let turn = info.turn
        let shown = VideoFilterChain.shownSize(first.input.width, first.input.height, aspect: aspect, turn: turn)
        (width, height) = limits.size(for: shown.0, shown.1)
        isInterlaced = first.isInterlaced
        self.first = first.input
        let colour = VideoColor.Source(
            said: info.colour.merging(first.colour) { $1 },
            isRGB: first.input.isRGB,
            width: first.input.width,
            height: first.input.height
        )
        chain = VideoFilterChain(width: width, height: height, turn: turn, aspect: aspect, colour: colour)
        self.timescale = timescale
        let delivered =
            frameRate / Rational(VideoEncoderSettings.stride(limits, width: width, height: height, rate: frameRate))
        self.frameRate = Rational(max(1000, min(240_000, delivered.rounded(scale: 1000))), 1000)
    }

    /// The color properties of delivered frames, as encoder options.
    var colour: [String: String] { chain.colour.delivered.options }

    /// Creates the filter for a kind of frames; nil if none is needed.
    func filter(
        for frame: Frame,
        _ input: VideoFilterChain.Input,
        isInterlaced: Bool
    ) throws(MediaError) -> VideoFilter? {
        guard let filters = chain.filters(for: input, first: first, isInterlaced: isInterlaced) else { return nil }
        return try VideoFilter(filters, for: frame)
    }

    /// The decimation factor that keeps the frame rate within the limits.
    private static func stride(_ limits: VideoLimits, width: Int, height: Int, rate: Rational) -> Int64 {
        let allowed = limits.rate(for: rate, width: width, height: height)
        guard allowed < rate, allowed > Rational.zero else { return 1 }
        // An excess of a thousandth is a different notation of the same rate (30000/1001 and 30).
        return max(1, (rate / allowed - Rational(1, 500)).ceiled())
    }

    /// Selects the delivered frames: all, or one per period of the allowed rate.
    ///
    /// `times` are ascending. Periods restart at `cuts`, so that every device is cut at the same frames.
    func kept(of times: [Int64], frameRate rate: Rational, cuts: [Int] = [0]) -> [Int] {
        let stride = VideoEncoderSettings.stride(limits, width: width, height: height, rate: rate)
        guard stride > 1 else { return Array(times.indices) }
        let period = Rational(timescale) / frameRate
        let half = period / Rational(2 * stride)
        var result: [Int] = []
        for (number, cut) in cuts.enumerated() where cut < times.count {
            let first = times[cut]
            // A frame too close before a cut is dropped.
            if let before = result.last, result.count > 1, Rational(first - times[before]) < period - half {
                result.removeLast()
            }
            var last: Int64 = -1
            for place in cut..<(number + 1 < cuts.count ? cuts[number + 1] : times.count) {
                let count = ((Rational(times[place] - first) + half) / period).floored()
                if count > last { result.append(place) }
                last = max(last, count)
            }
        }
        return result
    }

    /// Opens the encoder with fixed settings.
    ///
    /// A segment is one closed GOP: one keyframe at the start and no reordering. Maximum rate and macroblock tree are
    /// off, because with both x264's output varied between runs in one process. Stitchable parameter sets do not depend
    /// on the quality, so one set fits all segments. x264 selects the minimum level for size and rate, which is within
    /// the device's.
    func open(quality: Double = VideoEncoderSettings.quality) throws(MediaError) -> VideoEncoder {
        let options = [
            "preset": "veryfast", "crf": "\(quality)", "profile": limits.profile.rawValue,
            "x264-params": "keyint=infinite:scenecut=0:mbtree=0:stitchable=1",
        ]
        return try VideoEncoder(
            named: VideoEncoderSettings.encoder,
            format: VideoEncoder.Format(
                width: width,
                height: height,
                pixelFormat: VideoFilterChain.pixelFormat,
                timeBase: Rational(1, timescale),
                frameRate: frameRate
            ) {
                $0.bFrames = 0
                $0.sampleAspectRatio = Rational(1)
            },
            options: colour.merging(options) { $1 }
        )
    }
}
