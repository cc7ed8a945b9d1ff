/// Lines on their way into something that may be full: what is there is whole lines, and what is lost is counted.
package struct LineWriter: Sendable {
    /// What is to be told of a line.
    package enum News: Sendable, Equatable {
        /// It is the first that is lost since the beginning, or since the last that was written.
        case losing
        /// It is written, after so many that are lost.
        case goesOn(lost: Int)
    }

    /// How many lines are lost.
    package private(set) var lost = 0

    private var line: [UInt8] = []
    private var written = 0
    private var lostInARow = 0

    /// Nothing written yet.
    package init() {}

    /// Adds a line; one that does not fit at all is lost, and one that fits in part is completed before the next.
    ///
    /// - Parameters:
    ///   - text: The line, without its end.
    ///   - write: Writes the beginning of some bytes, as much as there is room for, and returns how many that was.
    /// - Returns: What is to be told; nil for nothing.
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

    /// Ends what is written, so that what comes may go elsewhere; a line of which only a part is there is lost.
    ///
    /// - Parameter write: Writes as for a line.
    /// - Returns: How many bytes of such a line are there, to be taken back.
    package mutating func end(write: (ArraySlice<UInt8>) -> Int) -> Int {
        guard !complete(write) else { return 0 }
        defer { (line, written) = ([], 0) }
        lost += 1
        lostInARow += 1
        return written
    }

    /// Writes what is left of the last line; whether it is whole then.
    private mutating func complete(_ write: (ArraySlice<UInt8>) -> Int) -> Bool {
        if written < line.count { written += write(line[written...]) }
        return written == line.count
    }
}
