/// A reader of frame numbers in decoded frames.
package enum FrameCodeReader {
    /// The minimum brightness difference between white and black cells.
    private static let leastContrast = 40

    /// Reads the frame number from a luma plane; nil if there is none.
    ///
    /// The frame may be scaled and lossily coded, but not rotated or cropped. Samples deeper than 8 bits are
    /// little-endian 16-bit values.
    package static func number(
        luma: UnsafeBufferPointer<UInt8>,
        width: Int,
        height: Int,
        stride: Int,
        depth: Int = 8
    ) -> Int? {
        let bytes = depth > 8 ? 2 : 1
        guard width >= FrameCode.gridColumns * 2, FrameCode.codeHeight(of: height) >= FrameCode.gridRows * 2,
            stride >= width * bytes, luma.count >= stride * (height - 1) + width * bytes
        else { return nil }
        let plane = Plane(luma: luma, stride: stride, bytes: bytes, shift: depth - 8)
        var levels: [Int] = []
        var border: [Int] = []
        for row in 0..<FrameCode.gridRows {
            let rows = inner(FrameCode.span(row: row, height: height))
            for column in 0..<FrameCode.gridColumns {
                let columns = inner(FrameCode.span(column: column, width: width))
                let level = plane.mean(columns: columns, rows: rows)
                let isBorder =
                    row == 0 || row == FrameCode.gridRows - 1 || column == 0 || column == FrameCode.gridColumns - 1
                if isBorder { border.append(level) } else { levels.append(level) }
            }
        }
        return number(levels: levels, border: border)
    }

    /// Decodes the frame number from the brightness of cells, row by row, and of the border.
    static func number(levels: [Int], border: [Int]) -> Int? {
        guard let cells = cells(from: levels, border: border) else { return nil }
        return FrameCode.number(from: cells)
    }

    /// The frame number that a frame shows; nil if there is none.
    package static func number(in image: FrameImage) -> Int? {
        image.luma.withUnsafeBufferPointer {
            number(luma: $0, width: image.width, height: image.height, stride: image.width)
        }
    }

    private static func cells(from levels: [Int], border: [Int]) -> UInt32? {
        guard let darkest = levels.min(), let brightest = levels.max(), brightest - darkest >= leastContrast else {
            return nil
        }
        let middle = (darkest + brightest) / 2
        let contrast = brightest - darkest
        // A cell that is neither black nor white, or a border that is either, is a blend or not a code.
        guard levels.allSatisfy({ abs($0 - middle) * 5 >= contrast }),
            border.allSatisfy({ abs($0 - middle) * 10 <= contrast * 3 })
        else { return nil }
        var cells: UInt32 = 0
        for (index, level) in levels.enumerated() where level > middle { cells |= 1 << UInt32(index) }
        return cells
    }

    /// The middle half of a span, free of ringing from neighbors.
    private static func inner(_ span: Range<Int>) -> Range<Int> {
        let margin = span.count / 4
        return span.lowerBound + margin..<span.upperBound - margin
    }

    /// Luma samples in memory.
    private struct Plane {
        var luma: UnsafeBufferPointer<UInt8>
        var stride: Int
        var bytes: Int
        var shift: Int

        /// The mean brightness of a rectangle, in 8 bits.
        func mean(columns: Range<Int>, rows: Range<Int>) -> Int {
            // Every sample of a small cell, about 16 by 16 of a large one.
            let (across, down) = (max(columns.count / 16, 1), max(rows.count / 16, 1))
            var (sum, count) = (0, 0)
            for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: down) {
                for column in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: across) {
                    let place = row * stride + column * bytes
                    let high = bytes == 2 ? Int(luma[place + 1]) << 8 : 0
                    sum += (high | Int(luma[place])) >> shift
                    count += 1
                }
            }
            return sum / max(count, 1)
        }
    }
}
