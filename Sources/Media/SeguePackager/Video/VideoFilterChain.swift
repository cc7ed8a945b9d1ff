internal import SegueBase
internal import SegueFFmpeg

/// The selection of libav filters that turn decoded frames into delivered ones.
struct VideoFilterChain {
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    let turn: VideoRotation
    /// The source's pixel aspect ratio, from the container or the first frame.
    let aspect: Rational?
    /// The source's color properties.
    let colour: VideoColor.Source

    /// The delivered pixel format, which every H.264 decoder supports.
    static let pixelFormat = "yuv420p"

    /// The frame properties that determine the filters.
    struct Input: Hashable {
        var width: Int
        var height: Int
        var format: String
        var aspect: Rational?
        var isFullRange: Bool
        var isRGB: Bool

        init(_ frame: Frame) {
            (width, height) = (frame.width, frame.height)
            format = frame.pixelFormat ?? ""
            aspect = frame.sampleAspectRatio
            isRGB = frame.isRGB
            isFullRange = frame.colour["color_range"] == "pc" || format.hasPrefix("yuvj")
        }
    }

    /// The displayed size, upright and with square pixels.
    static func shownSize(_ width: Int, _ height: Int, aspect: Rational?, turn: VideoRotation) -> (Int, Int) {
        var size = (width, height)
        // More extreme aspect ratios are errors.
        if let aspect, aspect != Rational(1), aspect >= Rational(1, 4), aspect <= Rational(4) {
            // The shorter side of a pixel is stretched, so no pixel is lost.
            if aspect > Rational(1) {
                size.0 = Int((Rational(Int64(width)) * aspect).rounded(scale: 1))
            } else {
                size.1 = Int((Rational(Int64(height)) / aspect).rounded(scale: 1))
            }
        }
        return turn.isOnItsSide ? (size.1, size.0) : size
    }

    /// The filter chain for a kind of frames in libav's syntax; nil if none is needed.
    ///
    /// `first` is the format of the first frame, whose shape all delivered frames have.
    func filters(for input: Input, first: Input, isInterlaced: Bool) -> String? {
        let pixel = input.aspect == first.aspect ? aspect : input.aspect
        let inner = fitted(VideoFilterChain.shownSize(input.width, input.height, aspect: pixel, turn: turn))
        let coded = turn.isOnItsSide ? (inner.height, inner.width) : inner
        var filters: [String] = []
        if isInterlaced, input.width >= 3, input.height >= 3 {
            filters.append("bwdif=mode=send_frame:parity=auto:deint=interlaced")
        }
        filters += conversion(input, to: coded)
        filters += turn.filters
        if inner != (width, height) { filters.append("pad=\(width):\(height):(ow-iw)/2:(oh-ih)/2") }
        return filters.isEmpty ? nil : filters.joined(separator: ",")
    }

    /// The largest even size of a shape within the delivered size, or the delivered size if the difference is
    /// negligible.
    private func fitted(_ shape: (Int, Int)) -> (width: Int, height: Int) {
        let scale = min(Double(width) / Double(max(1, shape.0)), Double(height) / Double(max(1, shape.1)))
        func even(_ side: Int, _ limit: Int) -> Int {
            let length = min(limit, max(2, Int((Double(side) * scale / 2).rounded()) * 2))
            // A bar of one or two lines is not worth padding.
            return length * 50 >= limit * 49 || limit - length <= 4 ? limit : length
        }
        return (even(shape.0, width), even(shape.1, height))
    }

    private func conversion(_ input: Input, to size: (width: Int, height: Int)) -> [String] {
        let isSameSize = input.width == size.width && input.height == size.height
        let range = input.isFullRange ? "pc" : "tv"
        let delivered = colour.delivered
        if !input.isRGB, colour.isHighDynamicRange || colour.isWide {
            let said =
                "zscale=w=\(size.width):h=\(size.height):filter=bilinear:"
                + "pin=\(colour.colour.primaries):tin=\(colour.colour.transfer):min=\(colour.colour.matrix):"
                + "rin=\(range)"
            guard colour.isHighDynamicRange else {
                return ["\(said):p=bt709:t=bt709:m=bt709:r=tv", "format=\(VideoFilterChain.pixelFormat)"]
            }
            // White at 203 cd/m2 (ITU-R BT.2408), peak at 1000: per-frame metadata would make frames depend on where
            // decoding began.
            return [
                "\(said):t=linear:npl=203", "format=gbrpf32le", "zscale=p=bt709", "tonemap=hable:desat=0:peak=5",
                "zscale=t=bt709:m=bt709:r=tv", "format=\(VideoFilterChain.pixelFormat)",
            ]
        }
        let isConverted = input.isRGB || colour.colour.matrix != delivered.matrix
        if isSameSize, input.format == VideoFilterChain.pixelFormat, !input.isFullRange, !isConverted { return [] }
        var scaling = "scale=\(size.width):\(size.height):flags=bilinear+accurate_rnd+bitexact"
        scaling += ":in_range=\(input.isRGB ? "pc" : range):out_range=tv"
        if !input.isRGB, let matrix = VideoFilterChain.scalerNames[colour.colour.matrix] {
            scaling += ":in_color_matrix=\(matrix)"
        }
        if let matrix = VideoFilterChain.scalerNames[delivered.matrix] { scaling += ":out_color_matrix=\(matrix)" }
        return [scaling, "format=\(VideoFilterChain.pixelFormat)"]
    }

    /// libav's scaler names for matrices.
    private static let scalerNames = [
        "bt709": "bt709", "smpte170m": "smpte170m", "bt470bg": "bt470", "fcc": "fcc", "smpte240m": "smpte240m",
        "bt2020nc": "bt2020", "bt2020c": "bt2020",
    ]
}
