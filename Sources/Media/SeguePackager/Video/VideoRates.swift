internal import SegueBase

/// The number of bytes the frames of a transcoded film take, segment by segment, and how many they may.
///
/// Frames are coded for a constant quality, so their size is known once they are made. A short film is made as a whole
/// to know it. Of a long one a few frames are made here and there, and what they take against their packets in the
/// source gives every segment's size; the maximum, with something added for the doubt, is announced as the peak. Then
/// no segment may exceed it, and the one that is expected to be the maximum has to come close: both are coded again, in
/// worse or better quality, until it is so. Thus what is announced is true without having made the whole film.
struct VideoRates: Sendable {
    /// Bytes of each segment's frames, without container: measured or expected.
    var sizes: [Int] = []
    /// Bytes of every frame of a film that was made as a whole; nothing of a longer one.
    var pictureSizes: [Int] = []
    /// Bytes of frames in a row, keyframes left out, as they were made here and there in a longer film.
    var pattern: [Int] = []
    /// The maximum number of bits in a second of a segment; nil where none is announced.
    var peak: Double?
    /// The segment that has to come close to the peak.
    var strongest: Int?

    /// x264's constant quality beyond which no segment is made worse, however large it is then.
    var worst = 51.0

    /// What is added to the expected peak.
    static let doubt = 1.1
    /// The minimum share of the peak that the strongest segment has to have.
    static let closeness = 0.91
    /// x264's constant quality beyond which no segment is made worse only because its peak was expected too low.
    static let worstForExpectation = 34.0
    /// Macroblocks of a film that is made as a whole to know its rates: some seconds' work.
    static let effort = 600_000
    /// Macroblocks of the frames that are made of a longer film; fewer, as no segment is made before them.
    static let sampled = 400_000
    /// The number of first frames of segments are made of a longer film.
    static let sampledKeys = 16
    /// The number of frames in a row are made of a longer film: the first ones after a keyframe take less than others.
    ///
    /// Held against all frames of nine films (coded by H.264, VP8, VP9, AV1, Theora, MPEG-4 and Cinepak, 25 to 363 s),
    /// the reckoned mean was wrong by up to 28 % with 24 frames, and by up to 14 % with 48.
    static let window = 48

    /// The bytes that a segment of a duration may have; nil where there is no limit.
    ///
    /// - Parameter duration: Its length, in seconds; anything under a second is judged like a second.
    /// - Returns: The bytes.
    func most(for duration: Rational) -> Int? {
        peak.map { Int($0 * max(1, duration.seconds) / 8) }
    }
}

/// The rates of a transcoded film, whole and as frames for searching.
struct FilmRates: Sendable {
    /// Of its segments.
    var segments = VideoRates()
    /// Of the first frame of each segment alone, which lasts until that of the next.
    var keys = VideoRates()
}

extension VideoTranscoder {
    /// The coded frames of a segment, held to the rates.
    ///
    /// - Parameters:
    ///   - range: The places of its frames.
    ///   - number: Its number.
    ///   - duration: Its length, in seconds.
    ///   - rates: What it may and should have.
    /// - Returns: The frames.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read or the work is cancelled.
    func pictures(_ range: Range<Int>, number: Int, duration: Rational, rates: VideoRates) throws -> [Coded] {
        let most = rates.most(for: duration)
        // To get there again would take too long where keyframes are rare.
        let hasToBeClose = rates.strongest == number && !range.isEmpty && !isFar(range.lowerBound)
        let least = hasToBeClose ? most.map { Int(Double($0) * VideoRates.closeness) } ?? 0 : 0
        let stretch = VideoStretch(
            limits: pictures.settings.limits,
            places: range,
            least: least,
            most: most,
            worst: rates.worst
        )
        return try kept.pieces(of: stretch) { try made(stretch) }
    }

    private func made(_ stretch: VideoStretch) throws -> [Coded] {
        let (range, least) = (stretch.places, stretch.least)
        var coded = try pictures(range)
        guard let most = stretch.most, !coded.isEmpty else { return coded }
        var quality = VideoEncoderSettings.quality
        // Between a quality that is known to be too good and one that is known to be good enough.
        var (tooGood, goodEnough) = (0.0, stretch.worst)
        for _ in 0..<8 {
            let size = coded.reduce(0) { $0 + $1.bytes.count }
            if size <= most, size >= least { return coded }
            if size > most { tooGood = quality } else { goodEnough = quality }
            // Six steps of quality halve the bits.
            let wished = Double(most) * (1 + VideoRates.closeness) / 2
            let next = ((quality + 6 * (Double(size) / wished).logarithm) * 4).rounded() / 4
            let nearest = (tooGood + 0.25, goodEnough == stretch.worst ? goodEnough : goodEnough - 0.25)
            guard nearest.0 <= nearest.1 else { break }
            quality = min(max(next, nearest.0, 8), nearest.1)
            coded = try pictures(range, quality: quality)
        }
        let size = coded.reduce(0) { $0 + $1.bytes.count }
        return size <= most || goodEnough == quality ? coded : try pictures(range, quality: goodEnough)
    }
}

extension Double {
    /// The logarithm to the base 2, to a thousandth, for positive numbers; reckoned without the C library.
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
