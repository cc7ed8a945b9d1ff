internal import Media
internal import Timeline

/// How the pictures of a title are encoded: the same for all its segments, so that one configuration serves them all.
struct PictureSettings: Sendable {
    /// The largest picture that is delivered: its longer and its shorter side.
    private static let largest = (long: 1920, short: 1080)
    /// x264's constant quality.
    private static let quality = 21

    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// The shape of a pixel.
    let aspect: Rational?
    /// Units a second of the pictures' times.
    let timescale: Int64
    /// Pictures a second, for rate control.
    let frameRate: Rational
    /// What the numbers in the pictures mean.
    let colour: [String: String]

    init(_ info: StreamInfo, first: DecodedPicture, timescale: Int64, frameRate: Rational) {
        (width, height) = PictureSettings.size(for: first.width, first.height)
        aspect = info.sampleAspectRatio
        self.timescale = timescale
        let rounded = Rational(max(1000, min(240_000, frameRate.rounded(scale: 1000))), 1000)
        self.frameRate = rounded
        var colour = info.colour
        if first.format.hasPrefix("yuvj") { colour["color_range"] = "tv" }
        // What libswscale makes of anything but luma and chroma.
        if !first.format.hasPrefix("yuv"), !first.format.hasPrefix("nv"), !first.format.hasPrefix("p0") {
            colour["colorspace"] = "smpte170m"
            colour["color_range"] = "tv"
        }
        self.colour = colour
    }

    /// The size that a picture is delivered in: even, and no larger than a common screen.
    static func size(for width: Int, _ height: Int) -> (Int, Int) {
        let (long, short) = (max(width, height), max(1, min(width, height)))
        let scale = min(1, Double(largest.long) / Double(long), Double(largest.short) / Double(short))
        func even(_ side: Int) -> Int { max(16, (Int((Double(side) * scale).rounded()) + 1) / 2 * 2) }
        return (even(width), even(height))
    }

    /// The encoder, set the same way every time.
    ///
    /// One keyframe at the start and no pictures out of order: a segment is one closed group. Neither a greatest rate
    /// nor the macroblock tree: with both, x264's output varied between runs in one process.
    ///
    /// - Throws: ``MediaError`` when libav has no x264.
    func open() throws(MediaError) -> VideoEncoder {
        try VideoEncoder(
            named: "libx264",
            width: width,
            height: height,
            pixelFormat: "yuv420p",
            timeBase: Rational(1, timescale),
            frameRate: frameRate,
            bFrames: 0,
            sampleAspectRatio: aspect,
            options: colour.merging([
                "preset": "veryfast",
                "crf": "\(PictureSettings.quality)",
                "x264-params": "keyint=infinite:scenecut=0:mbtree=0",
            ]) { $1 }
        )
    }
}
