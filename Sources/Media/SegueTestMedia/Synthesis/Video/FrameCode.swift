/// The block code for frame numbers.
///
/// It has 32 black or white cells in four rows of eight, with a gray border of one cell, in the upper three quarters of
/// the frame. 24 cells hold the frame number, scrambled so that neighboring frames differ widely (a blend of two is not
/// a third number); eight cells hold a checksum.
package enum FrameCode {
    /// One more than the maximum frame number.
    package static let limit = 1 << 24

    /// The minimum frame size at which the code survives a lossy codec.
    package static let leastSize = (width: 96, height: 64)

    /// The brightness of white and black cells, and of the border.
    package static let (white, black, grey): (UInt8, UInt8, UInt8) = (216, 32, 124)

    static let columns = 8
    static let rows = 4

    /// The grid's size in cells, including the border.
    static let (gridColumns, gridRows) = (columns + 2, rows + 2)

    /// An odd factor that permutes 24 bits, and its inverse modulo 2^24.
    private static let (scramble, unscramble): (UInt32, UInt32) = (0x9E_3779, 0xB3_82C9)

    /// The cells of a frame number, lowest bit first, with white as one.
    static func cells(for number: Int) -> UInt32 {
        let scrambled = (UInt32(number) &* scramble &+ 0x5A_A55A) & 0xFF_FFFF
        return scrambled | UInt32(checksum(scrambled)) << 24
    }

    /// The frame number of cells; nil if the checksum is wrong.
    static func number(from cells: UInt32) -> Int? {
        let scrambled = cells & 0xFF_FFFF
        guard checksum(scrambled) == UInt8(cells >> 24) else { return nil }
        return Int((scrambled &- 0x5A_A55A) &* unscramble & 0xFF_FFFF)
    }

    /// The columns of a frame covered by a grid cell.
    static func span(column: Int, width: Int) -> Range<Int> {
        column * width / gridColumns..<(column + 1) * width / gridColumns
    }

    /// The rows of a frame covered by a grid cell.
    static func span(row: Int, height: Int) -> Range<Int> {
        let region = codeHeight(of: height)
        return row * region / gridRows..<(row + 1) * region / gridRows
    }

    /// The number of rows from the top covered by the code.
    static func codeHeight(of height: Int) -> Int { height * 3 / 4 }

    /// CRC-8 with the polynomial x^8+x^2+x+1, from all ones.
    private static func checksum(_ value: UInt32) -> UInt8 {
        var crc: UInt8 = 0xFF
        for shift in [16, 8, 0] {
            crc ^= UInt8(value >> UInt32(shift) & 0xFF)
            for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
        }
        return crc
    }
}
