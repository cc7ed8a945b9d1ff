/// One frame of a film in memory: brightness, and two planes of color at half its width and height, 8 bits each.
package struct Picture: Sendable, Equatable {
    /// Samples in a row of the brightness plane.
    package let width: Int

    /// Rows of the brightness plane.
    package let height: Int

    /// Brightness, row by row without gaps.
    package var luma: [UInt8]

    /// Blue difference, row by row, ``chromaWidth`` samples each.
    package var blue: [UInt8]

    /// Red difference, row by row, ``chromaWidth`` samples each.
    package var red: [UInt8]

    /// Samples in a row of a color plane.
    package var chromaWidth: Int { (width + 1) / 2 }

    /// Rows of a color plane.
    package var chromaHeight: Int { (height + 1) / 2 }

    /// A frame of one gray.
    package init(width: Int, height: Int, grey: UInt8 = FrameCode.grey) {
        self.width = width
        self.height = height
        luma = [UInt8](repeating: grey, count: width * height)
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        blue = [UInt8](repeating: 128, count: chroma)
        red = [UInt8](repeating: 128, count: chroma)
    }

    /// Fills a rectangle of the brightness plane; what lies outside of the frame is left out.
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
