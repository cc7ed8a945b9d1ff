/// A writer of batches of lines to a file that may be full: it writes whole lines and counts lost ones.
struct LogBatches: Sendable {
    /// An event to report.
    enum News: Sendable, Equatable {
        case losing
        /// Lines are written again after a number of lost ones.
        case goesOn(lost: Int)
    }

    private(set) var lost = 0

    /// The rest of a partially written line.
    private var rest: ArraySlice<UInt8> = []
    private var lostInARow = 0

    init() {}

    /// Counts lines that were lost before they got here.
    ///
    /// - Returns: The event to report, or nil.
    mutating func lose(_ count: Int) -> News? {
        guard count > 0 else { return nil }
        defer { (lost, lostInARow) = (lost + count, lostInARow + count) }
        return lostInARow == 0 ? .losing : nil
    }

    /// Writes lines; those that do not fit are lost, and a partial line is completed before the next.
    ///
    /// - Parameters:
    ///   - lines: The lines with their ends.
    ///   - write: Writes a prefix of some bytes and returns its length.
    /// - Returns: The event to report, or nil.
    mutating func add(_ lines: ArraySlice<UInt8>, write: (ArraySlice<UInt8>) -> Int) -> News? {
        if !rest.isEmpty { rest = rest.dropFirst(write(rest)) }
        guard rest.isEmpty else { return lose(lines.count { $0 == Self.newline }) }
        let written = write(lines)
        let news: News? = written > 0 && lostInARow > 0 ? .goesOn(lost: lostInARow) : nil
        if written > 0 { lostInARow = 0 }
        guard written < lines.count else { return news }
        var left = lines.dropFirst(written)
        if written > 0, lines[left.startIndex - 1] != Self.newline {
            let end = (left.firstIndex(of: Self.newline) ?? left.endIndex - 1) + 1
            rest = left[..<end]
            left = left[end...]
        }
        return lose(left.count { $0 == Self.newline }) ?? news
    }

    /// Drops the rest of a partial line before a new file.
    mutating func forgetRest() {
        if !rest.isEmpty { _ = lose(1) }
        rest = []
    }

    private static let newline = UInt8(ascii: "\n")
}
