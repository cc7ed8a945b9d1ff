internal import SegueBase
internal import SegueFFmpeg

/// Says which of libav's filters make a decoded frame one that is delivered.
struct VideoFilterChain {
    /// The delivered size, in pixels.
    let width: Int
    let height: Int
    /// How frames are turned.
    let turn: VideoRotation
    /// The shape of a pixel in the source, where the container says it or the first frame.
    let aspect: Rational?
    /// What the numbers in the source mean.
    let colour: VideoColor.Source

    /// The format that is delivered: what every H.264 decoder takes.
    static let pixelFormat = "yuv420p"

    /// What a chain depends on; while it stays the same, so does the chain.
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

    /// The size of a frame as it is shown, its pixels square and upright.
    static func shownSize(_ width: Int, _ height: Int, aspect: Rational?, turn: VideoRotation) -> (Int, Int) {
        var size = (width, height)
        // Anything more uneven is a mistake.
        if let aspect, aspect != Rational(1), aspect >= Rational(1, 4), aspect <= Rational(4) {
            // No pixel is lost: the shorter side of a pixel grows.
            if aspect > Rational(1) {
                size.0 = Int((Rational(Int64(width)) * aspect).rounded(scale: 1))
            } else {
                size.1 = Int((Rational(Int64(height)) / aspect).rounded(scale: 1))
            }
        }
        return turn.isOnItsSide ? (size.1, size.0) : size
    }

    /// The filters for frames of a kind; nil where they are delivered as they are.
    ///
    /// - Parameters:
    ///   - input: The kind of frame.
    ///   - first: The kind of the film's first, whose shape the delivered frames have.
    ///   - isInterlaced: True if some of them are interlaced.
    /// - Returns: The chain, as libav writes it.
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

    /// The maximum even size of a shape within the delivered one; the delivered one itself where that is as good.
    private func fitted(_ shape: (Int, Int)) -> (width: Int, height: Int) {
        let scale = min(Double(width) / Double(max(1, shape.0)), Double(height) / Double(max(1, shape.1)))
        func even(_ side: Int, _ limit: Int) -> Int {
            let length = min(limit, max(2, Int((Double(side) * scale / 2).rounded()) * 2))
            // A bar of a line or two is no bar.
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
            // White at 203 cd/m2 (ITU-R BT.2408), and nothing brighter than 1000: metadata of single frames would make
            // them depend on where decoding began.
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

    /// What libav's scaler calls matrices.
    private static let scalerNames = [
        "bt709": "bt709", "smpte170m": "smpte170m", "bt470bg": "bt470", "fcc": "fcc", "smpte240m": "smpte240m",
        "bt2020nc": "bt2020", "bt2020c": "bt2020",
    ]
}
