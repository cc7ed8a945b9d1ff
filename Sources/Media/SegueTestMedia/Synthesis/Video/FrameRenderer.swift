/// A renderer of synthetic frames: the block code, and below it a hopping ball under a changing sky, or a variant's
/// mark.
package struct FrameRenderer: Sendable {
    private let background: FrameImage
    private let isMarked: Bool

    /// The frames per hop of the ball.
    private static let hop = 24

    /// A renderer of frames of one size.
    ///
    /// - Parameters:
    ///   - mark: The mark of the variant that they are of; nil for none.
    /// - Precondition: Width and height are even and at least ``FrameCode/leastSize``, and the mark is one of
    ///   ``VariantMark/range``.
    package init(width: Int, height: Int, mark: Int? = nil) {
        precondition(width % 2 == 0 && height % 2 == 0, "width and height must be even")
        precondition(
            width >= FrameCode.leastSize.width && height >= FrameCode.leastSize.height,
            "the size must be at least FrameCode.leastSize"
        )
        precondition(mark.map(VariantMark.range.contains) ?? true, "the mark must be a number from 1 to 15")
        var background = FrameImage(width: width, height: height)
        if let mark { Self.drawMark(mark, in: &background) }
        self.background = background
        isMarked = mark != nil
    }

    /// Returns the image of a frame.
    ///
    /// - Precondition: The number is at least 0 and below ``FrameCode/limit``.
    package func image(number: Int) -> FrameImage {
        precondition((0..<FrameCode.limit).contains(number), "the frame number must fit 24 bits")
        var image = background
        drawCode(FrameCode.cells(for: number), in: &image)
        drawGround(number, in: &image)
        return image
    }

    private func drawCode(_ cells: UInt32, in image: inout FrameImage) {
        for row in 0..<FrameCode.rows {
            let rows = FrameCode.span(row: row + 1, height: image.height)
            for column in 0..<FrameCode.columns {
                let isWhite = cells >> UInt32(row * FrameCode.columns + column) & 1 == 1
                image.fill(
                    columns: FrameCode.span(column: column + 1, width: image.width),
                    rows: rows,
                    with: isWhite ? FrameCode.white : FrameCode.black
                )
            }
        }
    }

    private static func drawMark(_ mark: Int, in image: inout FrameImage) {
        let region = Double(FrameCode.codeHeight(of: image.height))
        let (top, bottom) = (VariantMark.rows.top * region, VariantMark.rows.bottom * region)
        let rows = Int(top) / FrameCode.gridRows..<Int(bottom) / FrameCode.gridRows
        for column in 0..<VariantMark.columns {
            let isWhite = VariantMark.cells(for: mark) >> UInt8(column) & 1 == 1
            image.fill(
                columns: FrameCode.span(column: column + 1, width: image.width),
                rows: rows,
                with: isWhite ? FrameCode.white : FrameCode.black
            )
        }
    }

    private func drawGround(_ number: Int, in image: inout FrameImage) {
        let top = FrameCode.codeHeight(of: image.height)
        let (width, height) = (image.width, image.height - top)
        // The sky's color cycles in 512 frames, slowly enough for a codec.
        let (blue, red) = (Self.wave(number, period: 512), Self.wave(number + 128, period: 512))
        for row in top / 2..<image.chromaHeight {
            let line = row * image.chromaWidth..<(row + 1) * image.chromaWidth
            image.blue.replaceSubrange(line, with: repeatElement(UInt8(128 + blue / 4), count: line.count))
            image.red.replaceSubrange(line, with: repeatElement(UInt8(128 + red / 4), count: line.count))
        }
        guard !isMarked else { return }
        // The ball hops in parabolas and crosses the frame in 96 frames.
        let radius = max(height / 6, 2)
        let phase = number % Self.hop
        let rise = (height - 2 * radius - 1) * 4 * phase * (Self.hop - phase) / (Self.hop * Self.hop)
        let middle = image.height - 1 - radius - rise
        let centre = number % 96 * (width + 2 * radius) / 96 - radius
        for row in -radius...radius {
            let half = Self.root(radius * radius - row * row)
            image.fill(columns: centre - half..<centre + half + 1, rows: middle + row..<middle + row + 1, with: 235)
        }
    }

    /// A triangle wave from -128 to 127.
    private static func wave(_ number: Int, period: Int) -> Int {
        let place = number % period * 512 / period
        return place < 256 ? place - 128 : 383 - place
    }

    /// The integer square root.
    private static func root(_ value: Int) -> Int {
        var root = 0
        while (root + 1) * (root + 1) <= value { root += 1 }
        return root
    }
}
