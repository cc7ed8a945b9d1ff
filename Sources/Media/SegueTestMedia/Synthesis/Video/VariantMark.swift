/// The mark by which a frame shows which variant of its title it is of.
///
/// Eight black or white cells in a row below the block code: a number in four bits, and the same number with each bit
/// turned over, so that one wrong cell is noticed and half of them are always white. They are as large as the code's
/// cells and lie on its grid, half a cell below it, and what finds the code finds them, however the frame was scaled.
package enum VariantMark {
    /// The marks that there are.
    package static let range = 1...15

    static let columns = 8

    /// Where the row of cells lies on the code's grid: the rows above it, and those with it.
    static let rows = (top: 6.5, bottom: 7.5)

    /// What a mark's cells show, the first cell in the lowest bit, white being one.
    static func cells(for mark: Int) -> UInt8 { UInt8(mark & 15 | (~mark & 15) << 4) }

    /// The mark that cells show, or nil where they show none.
    static func mark(from cells: UInt8) -> Int? {
        let mark = Int(cells & 15)
        return range.contains(mark) && self.cells(for: mark) == cells ? mark : nil
    }

    /// The mark that the brightness of cells tells, beside that of the code's.
    static func mark(levels: [Int], code: [Int]) -> Int? {
        guard levels.count == columns, let darkest = code.min(), let brightest = code.max() else { return nil }
        let (middle, contrast) = ((darkest + brightest) / 2, brightest - darkest)
        // A cell that is neither black nor white is a blend of two marks, or something else.
        guard levels.allSatisfy({ abs($0 - middle) * 5 >= contrast }) else { return nil }
        var cells: UInt8 = 0
        for (index, level) in levels.enumerated() where level > middle { cells |= 1 << UInt8(index) }
        return mark(from: cells)
    }
}
