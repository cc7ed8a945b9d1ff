/// A frame in memory with 8-bit luma and chroma at half width and height.
package struct FrameImage: Sendable, Equatable {
    /// The luma width.
    package let width: Int

    /// The luma height.
    package let height: Int

    /// The luma samples without row padding.
    package var luma: [UInt8]

    /// The Cb samples, ``chromaWidth`` per row.
    package var blue: [UInt8]

    /// The Cr samples, ``chromaWidth`` per row.
    package var red: [UInt8]

    package var chromaWidth: Int { (width + 1) / 2 }

    package var chromaHeight: Int { (height + 1) / 2 }

    /// Creates a uniform gray frame.
    package init(width: Int, height: Int, grey: UInt8 = FrameCode.grey) {
        self.width = width
        self.height = height
        luma = [UInt8](repeating: grey, count: width * height)
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        blue = [UInt8](repeating: 128, count: chroma)
        red = [UInt8](repeating: 128, count: chroma)
    }

    /// Fills a luma rectangle, clipped to the frame.
    mutating func fill(columns: Range<Int>, rows: Range<Int>, with value: UInt8) {
        let columns = columns.clamped(to: 0..<width)
        guard !columns.isEmpty else { return }
        for row in rows.clamped(to: 0..<height) {
            luma.replaceSubrange(
                row * width + columns.lowerBound..<row * width + columns.upperBound,
                with: repeatElement(value, count: columns.count)
            )
        }
    }
}
