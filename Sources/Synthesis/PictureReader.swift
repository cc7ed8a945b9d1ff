/// Reads the frame number back from a decoded picture.
package enum PictureReader {
    /// The least difference in brightness between white and black cells that counts as a code.
    private static let leastContrast = 40

    /// The frame number that a picture shows, or nil where it shows none.
    ///
    /// The picture may have been scaled and coded lossily since it was drawn, but not turned or cropped.
    ///
    /// - Parameters:
    ///   - luma: The brightness plane, 8 bits a sample.
    ///   - width: The picture's width.
    ///   - height: The picture's height.
    ///   - stride: Samples from the start of one row to the start of the next.
    /// - Returns: The number.
    package static func number(luma: [UInt8], width: Int, height: Int, stride: Int) -> Int? {
        guard width >= PictureCode.gridColumns * 2, PictureCode.codeHeight(of: height) >= PictureCode.gridRows * 2,
            stride >= width, luma.count >= stride * (height - 1) + width
        else { return nil }
        var levels: [Int] = []
        var border: [Int] = []
        for row in 0..<PictureCode.gridRows {
            let rows = inner(PictureCode.span(row: row, height: height))
            for column in 0..<PictureCode.gridColumns {
                let columns = inner(PictureCode.span(column: column, width: width))
                let level = mean(of: luma, columns: columns, rows: rows, stride: stride)
                let isBorder =
                    row == 0 || row == PictureCode.gridRows - 1 || column == 0 || column == PictureCode.gridColumns - 1
                if isBorder { border.append(level) } else { levels.append(level) }
            }
        }
        guard let cells = cells(from: levels, border: border) else { return nil }
        return PictureCode.number(from: cells)
    }

    /// The frame number that a picture shows, or nil where it shows none.
    package static func number(in picture: Picture) -> Int? {
        number(luma: picture.luma, width: picture.width, height: picture.height, stride: picture.width)
    }

    private static func cells(from levels: [Int], border: [Int]) -> UInt32? {
        guard let darkest = levels.min(), let brightest = levels.max(), brightest - darkest >= leastContrast else {
            return nil
        }
        let middle = (darkest + brightest) / 2
        let contrast = brightest - darkest
        // A cell that is neither black nor white, or a border that is either, is a blend of pictures or no code.
        guard levels.allSatisfy({ abs($0 - middle) * 5 >= contrast }),
            border.allSatisfy({ abs($0 - middle) * 10 <= contrast * 3 })
        else { return nil }
        var cells: UInt32 = 0
        for (index, level) in levels.enumerated() where level > middle { cells |= 1 << UInt32(index) }
        return cells
    }

    /// The middle half of a span, where a neighbour's ringing does not reach.
    private static func inner(_ span: Range<Int>) -> Range<Int> {
        let margin = span.count / 4
        return span.lowerBound + margin..<span.upperBound - margin
    }

    private static func mean(of luma: [UInt8], columns: Range<Int>, rows: Range<Int>, stride: Int) -> Int {
        // Every sample of a small cell, about sixteen by sixteen of a large one.
        let step = (max(columns.count / 16, 1), max(rows.count / 16, 1))
        var (sum, count) = (0, 0)
        for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: step.1) {
            for column in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: step.0) {
                sum += Int(luma[row * stride + column])
                count += 1
            }
        }
        return sum / max(count, 1)
    }
}
