/// The variant mark in a frame.
///
/// Eight black or white cells in a row below the block code hold a four-bit number and its complement, so a single
/// wrong cell is detected and half of the cells are always white. They have the code's cell size and grid, half a cell
/// below it, so they are found with the code at any scale.
package enum VariantMark {
    /// The valid marks.
    package static let range = 1...15

    static let columns = 8

    /// The position of the cells on the code's grid, in rows.
    static let rows = (top: 6.5, bottom: 7.5)

    /// The cells of a mark, lowest bit first, with white as one.
    static func cells(for mark: Int) -> UInt8 { UInt8(mark & 15 | (~mark & 15) << 4) }

    /// The mark of cells; nil if they are invalid.
    static func mark(from cells: UInt8) -> Int? {
        let mark = Int(cells & 15)
        return range.contains(mark) && self.cells(for: mark) == cells ? mark : nil
    }

    /// Decodes a mark from the brightness of its cells relative to the code's.
    static func mark(levels: [Int], code: [Int]) -> Int? {
        guard levels.count == columns, let darkest = code.min(), let brightest = code.max() else { return nil }
        let (middle, contrast) = ((darkest + brightest) / 2, brightest - darkest)
        // A cell that is neither black nor white is a blend or not a mark.
        guard levels.allSatisfy({ abs($0 - middle) * 5 >= contrast }) else { return nil }
        var cells: UInt8 = 0
        for (index, level) in levels.enumerated() where level > middle { cells |= 1 << UInt8(index) }
        return mark(from: cells)
    }
}
