internal import SegueBase
internal import SegueFFmpeg

/// The measured or estimated segment sizes of transcoded video, and their limits.
///
/// Frames have constant quality, so their size is known only once encoded. A short video is encoded completely. For a
/// long one, a sample of frames is encoded, and the ratio to their source packets gives every segment's size; the
/// maximum plus a margin is announced as the peak. Then no segment may exceed it, and the largest must come close: both
/// are re-encoded at another quality if necessary. So the announcement is true without encoding the whole video.
struct VideoRates: Sendable {
    /// Video bytes per segment without container overhead, measured or estimated.
    var sizes: [Int] = []
    /// Bytes of every frame of a completely encoded video; empty for a longer one.
    var frameSizes: [Int] = []
    /// Bytes of consecutive non-keyframes sampled from a longer video.
    var pattern: [Int] = []
    /// The announced peak bit rate of a segment; nil if none is announced.
    var peak: Double?
    /// The segment that must come close to the peak.
    var strongest: Int?

    /// x264's constant quality beyond which quality is not reduced.
    var worst = 51.0

    /// The margin factor on the estimated peak.
    static let doubt = 1.1
    /// The minimum ratio of the largest segment to the peak.
    static let closeness = 0.91
    /// x264's constant quality beyond which quality is not reduced for an underestimated peak.
    static let worstForExpectation = 34.0
    /// The maximum work to encode a video completely, in macroblocks: a few seconds.
    static let effort = 600_000
    /// The macroblocks sampled from a longer video; fewer, because no segment is made before.
    static let sampled = 400_000
    /// The number of segment-starting frames sampled from a longer video.
    static let sampledKeys = 16
    /// The number of consecutive frames per sample: the first ones after a keyframe are smaller than others.
    ///
    /// Compared with all frames of nine videos (H.264, VP8, VP9, AV1, Theora, MPEG-4, and Cinepak, 25 to 363 s), the
    /// estimated mean was off by up to 28% with 24 frames, and by up to 14% with 48.
    static let window = 48

    /// The byte limit of a segment; nil without a limit; durations under a second count as a second.
    func most(for duration: Rational) -> Int? {
        peak.map { Int($0 * max(1, duration.seconds) / 8) }
    }
}

/// The rates of transcoded video: of segments, and of I-frames.
struct FilmRates: Sendable {
    var segments = VideoRates()
    /// The rates of the first frame of each segment, displayed until the next one.
    var keys = VideoRates()
}

extension VideoTranscoder {
    /// Encodes a segment's frames within the rates.
    func frames(_ range: Range<Int>, number: Int, duration: Rational, rates: VideoRates) throws -> [Coded] {
        let most = rates.most(for: duration)
        // Decoding twice takes too long if keyframes are rare.
        let hasToBeClose = rates.strongest == number && !range.isEmpty && !isFar(range.lowerBound)
        let least = hasToBeClose ? most.map { Int(Double($0) * VideoRates.closeness) } ?? 0 : 0
        let stretch = VideoStretch(
            limits: transcoded.settings.limits,
            burned: transcoded.burned?.index,
            places: range,
            least: least,
            most: most,
            worst: rates.worst
        )
        return try kept.pieces(of: stretch) { try made(stretch) }
    }

    private func made(_ stretch: VideoStretch) throws -> [Coded] {
        let (range, least) = (stretch.places, stretch.least)
        var coded = try frames(range)
        guard let most = stretch.most, !coded.isEmpty else { return coded }
        var quality = VideoEncoderSettings.quality
        // Bisects between a quality known to be too good and one known to be sufficient.
        var (tooGood, goodEnough) = (0.0, stretch.worst)
        for _ in 0..<8 {
            let size = coded.reduce(0) { $0 + $1.bytes.count }
            if size <= most, size >= least { return coded }
            if size > most { tooGood = quality } else { goodEnough = quality }
            // Six quality steps halve the bit rate.
            let wished = Double(most) * (1 + VideoRates.closeness) / 2
            let next = ((quality + 6 * (Double(size) / wished).logarithm) * 4).rounded() / 4
            let nearest = (tooGood + 0.25, goodEnough == stretch.worst ? goodEnough : goodEnough - 0.25)
            guard nearest.0 <= nearest.1 else { break }
            quality = min(max(next, nearest.0, 8), nearest.1)
            coded = try frames(range, quality: quality)
        }
        let size = coded.reduce(0) { $0 + $1.bytes.count }
        return size <= most || goodEnough == quality ? coded : try frames(range, quality: goodEnough)
    }
}

extension Double {
    /// The base-2 logarithm of a positive number, exact to a thousandth and independent of the C library.
    fileprivate var logarithm: Double {
        var result = Double(exponent)
        var rest = significand
        var step = 0.5
        while step > 0.0005 {
            rest *= rest
            if rest >= 2 {
                rest /= 2
                result += step
            }
            step /= 2
        }
        return result
    }
}
