internal import SegueBase
internal import SegueFFmpeg

/// Captions drawn into delivered frames.
struct SubtitleOverlay {
    private let captions: [Caption]
    /// The size of delivered frames, in pixels.
    private let width: Int
    private let height: Int
    /// The coded size of the source, which is the canvas of streams without one.
    private let source: (width: Int, height: Int)
    private let colours: LimitedRange
    /// The number of the caption that ``layers`` show.
    private var drawn: Int?
    private var layers: [OverlayLayer] = []

    init(_ captions: [Caption], settings: VideoEncoderSettings, source: (width: Int, height: Int)) {
        self.captions = captions
        (width, height) = (settings.width, settings.height)
        self.source = source
        colours = LimitedRange(matrix: settings.colour["colorspace"])
    }

    /// Returns a frame with the captions of a time in seconds: the same frame without any, otherwise a copy.
    mutating func applied(to frame: Frame, at time: Rational) throws -> Frame {
        guard let number = captions.firstIndex(where: { $0.times.contains(time) }) else { return frame }
        if drawn != number {
            layers = captions[number].images.compactMap { layer(of: $0, on: captions[number]) }
            drawn = number
        }
        guard !layers.isEmpty else { return frame }
        let result = try frame.copied()
        for layer in layers { layer.draw(into: result) }
        return result
    }

    private func layer(of image: SubtitleImage, on caption: Caption) -> OverlayLayer? {
        let isDeclared = caption.canvasWidth > 0 && caption.canvasHeight > 0
        let canvas = isDeclared ? (width: caption.canvasWidth, height: caption.canvasHeight) : source
        guard canvas.width > 0, canvas.height > 0 else { return nil }
        let area = SubtitlePlacement(canvas: canvas, source: source, picture: (width, height)).area(of: image)
        return OverlayLayer(image, in: area, picture: (width, height), colours: colours)
    }
}

/// A rectangle in a delivered frame, in pixels.
struct OverlayArea: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

/// The placement of a subtitle canvas in a delivered picture.
struct SubtitlePlacement {
    /// The size of the canvas, in pixels.
    let canvas: (width: Int, height: Int)
    /// The coded size of the source, in pixels.
    let source: (width: Int, height: Int)
    /// The size of the delivered picture, in pixels.
    let picture: (width: Int, height: Int)

    /// The area of an image.
    ///
    /// A canvas of the video's size, or with the standard-definition sizes whose pixels are not square, covers the
    /// picture. Another canvas is that of a video whose bars have been cut off: it keeps its shape around the center,
    /// and images on the former bars move into the picture.
    func area(of image: SubtitleImage) -> OverlayArea {
        var scale = (
            x: Double(picture.width) / Double(canvas.width), y: Double(picture.height) / Double(canvas.height)
        )
        if !covers {
            let larger = max(scale.x, scale.y)
            scale = (larger, larger)
        }
        let left = (Double(picture.width) - Double(canvas.width) * scale.x) / 2
        let top = (Double(picture.height) - Double(canvas.height) * scale.y) / 2
        let size = (width: Double(image.width) * scale.x, height: Double(image.height) * scale.y)
        func inside(_ start: Double, length: Double, limit: Int) -> Double {
            max(0, min(start, Double(limit) - length))
        }
        let (x, y) = (left + Double(image.x) * scale.x, top + Double(image.y) * scale.y)
        guard !covers else { return OverlayArea(x: x, y: y, width: size.width, height: size.height) }
        return OverlayArea(
            x: inside(x, length: size.width, limit: picture.width),
            y: inside(y, length: size.height, limit: picture.height),
            width: size.width,
            height: size.height
        )
    }

    private var covers: Bool {
        if canvas == source || canvas.width <= 720 && [480, 576].contains(canvas.height) { return true }
        let (wide, high) = (canvas.width * picture.height, canvas.height * picture.width)
        // Rounding to even sizes changes the shape by less than 2 percent.
        return abs(wide - high) * 50 <= max(wide, high)
    }
}

/// The conversion of RGB to Y'CbCr with limited range (ITU-R BT.601 and BT.709).
struct LimitedRange: Equatable {
    private let red: Float
    private let blue: Float

    /// Creates the conversion for libav's name of a matrix; BT.601 for all but `bt709`.
    init(matrix: String?) {
        (red, blue) = matrix == "bt709" ? (0.2126, 0.0722) : (0.299, 0.114)
    }

    /// Converts components from 0 to 1, which are multiplied by alpha like the result, whose unit is one code value.
    func converted(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        let (alpha, r, g, b) = (pixel[0], pixel[1], pixel[2], pixel[3])
        let luma = red * r + (1 - red - blue) * g + blue * b
        return SIMD4(
            alpha,
            16 * alpha + 219 * luma,
            128 * alpha + 112 * (b - luma) / (1 - blue),
            128 * alpha + 112 * (r - luma) / (1 - red)
        )
    }
}
