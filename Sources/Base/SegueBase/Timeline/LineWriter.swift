/// A writer of whole lines to a destination that may be full; it counts the lines that are lost.
package struct LineWriter: Sendable {
    /// A change of state to report.
    package enum News: Sendable, Equatable {
        /// This line is the first to be lost.
        case losing
        /// This line was written after `lost` lines were lost.
        case goesOn(lost: Int)
    }

    package private(set) var lost = 0

    private var line: [UInt8] = []
    private var written = 0
    private var lostInARow = 0

    package init() {}

    /// Adds a line; a line that does not fit at all is lost, and one that fits in part is completed before the next.
    ///
    /// - Parameters:
    ///   - text: The line, without a line break.
    ///   - write: Writes as many bytes as fit and returns their number.
    /// - Returns: The change to report; nil for none.
    package mutating func add(_ text: String, write: (ArraySlice<UInt8>) -> Int) -> News? {
        if complete(write) {
            line = Array((text + "\n").utf8)
            written = write(line[...])
            if written > 0 {
                defer { lostInARow = 0 }
                return lostInARow > 0 ? .goesOn(lost: lostInARow) : nil
            }
            line = []
        }
        lost += 1
        lostInARow += 1
        return lostInARow == 1 ? .losing : nil
    }

    /// Ends the output, so that the next line may go elsewhere; a partial line is lost.
    ///
    /// - Parameter write: Writes as in ``add(_:write:)``.
    /// - Returns: The number of bytes of a partial line in the output, which the caller removes.
    package mutating func end(write: (ArraySlice<UInt8>) -> Int) -> Int {
        guard !complete(write) else { return 0 }
        defer { (line, written) = ([], 0) }
        lost += 1
        lostInARow += 1
        return written
    }

    /// Writes the rest of the last line; returns whether the line is complete.
    private mutating func complete(_ write: (ArraySlice<UInt8>) -> Int) -> Bool {
        if written < line.count { written += write(line[written...]) }
        return written == line.count
    }
}
