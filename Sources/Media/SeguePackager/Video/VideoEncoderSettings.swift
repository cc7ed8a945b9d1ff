internal import SegueBase
internal import SegueFFmpeg

/// How the frames of a title are encoded: the same for all its segments, so that one configuration serves them all.
struct VideoEncoderSettings: Sendable {
    /// libav's name of the encoder.
    static let encoder = "libx264"
    /// x264's constant quality.
    static let quality = 21.0

    /// What the frames may be at most.
    let limits: VideoLimits
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// True if the film is interlaced, as far as its first frame tells.
    let isInterlaced: Bool
    /// Units a second of the frames' times.
    let timescale: Int64
    /// Frames per second, for rate control.
    let frameRate: Rational
    /// How decoded frames become delivered ones.
    private let chain: VideoFilterChain
    private let first: VideoFilterChain.Input

    init(_ info: StreamInfo, first: DecodedFrame, timescale: Int64, frameRate: Rational, limits: VideoLimits) {
        self.limits = limits
        let aspect = info.sampleAspectRatio ?? first.input.aspect
        let turn = VideoRotation(matrix: info.displayMatrix)
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

    /// What the numbers in delivered frames mean, as libav's options for an encoder.
    var colour: [String: String] { chain.colour.delivered.options }

    /// What makes decoded frames delivered ones; nil where they are delivered as they are.
    ///
    /// - Parameters:
    ///   - frame: A frame.
    ///   - input: What kind of frame it is.
    ///   - isInterlaced: True if some of that kind are interlaced.
    /// - Returns: The filter for all of that kind.
    /// - Throws: ``MediaError`` if libav has no way from the one to the other.
    func filter(
        for frame: Frame,
        _ input: VideoFilterChain.Input,
        isInterlaced: Bool
    ) throws(MediaError) -> VideoFilter? {
        guard let filters = chain.filters(for: input, first: first, isInterlaced: isInterlaced) else { return nil }
        return try VideoFilter(filters, for: frame)
    }

    /// Of how many frames one is delivered, so that no more of them come in a second than may.
    private static func stride(_ limits: VideoLimits, width: Int, height: Int, rate: Rational) -> Int64 {
        let allowed = limits.rate(for: rate, width: width, height: height)
        guard allowed < rate, allowed > Rational.zero else { return 1 }
        // A thousandth more than allowed is the same rate in other words (30000/1001 and 30).
        return max(1, (rate / allowed - Rational(1, 500)).ceiled())
    }

    /// The places of the frames that are delivered: all, or one in each period of the rate that may be.
    ///
    /// - Parameters:
    ///   - times: When the source's frames are shown, ascending.
    ///   - rate: The number of the source has in a second.
    ///   - cuts: The places, ascending and the first of all among them, from which the periods count anew: what is cut
    ///     there is cut there for every device.
    /// - Returns: Their places among the source's, ascending.
    func kept(of times: [Int64], frameRate rate: Rational, cuts: [Int] = [0]) -> [Int] {
        let stride = VideoEncoderSettings.stride(limits, width: width, height: height, rate: rate)
        guard stride > 1 else { return Array(times.indices) }
        let period = Rational(timescale) / frameRate
        let half = period / Rational(2 * stride)
        var result: [Int] = []
        for (number, cut) in cuts.enumerated() where cut < times.count {
            let first = times[cut]
            // The frame before a cut makes way for it where it is too near.
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

    /// The encoder, set the same way every time.
    ///
    /// One keyframe at the start and no frames out of order: a segment is one closed group. Neither a greatest rate nor
    /// the macroblock tree: with both, x264's output varied between runs in one process. The parameter sets do not
    /// depend on the quality, as x264's do where they need not be stitched: one set serves all segments. The level is
    /// the minimum that size and rate need, which x264 finds; both keep within the device's.
    ///
    /// - Parameter quality: x264's constant quality.
    /// - Returns: The encoder.
    /// - Throws: ``MediaError`` if libav has no x264.
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
                frameRate: frameRate,
                bFrames: 0,
                sampleAspectRatio: Rational(1)
            ),
            options: colour.merging(options) { $1 }
        )
    }
}
