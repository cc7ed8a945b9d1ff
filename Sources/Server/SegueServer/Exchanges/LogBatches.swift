/// Lines on their way into a file that may be full, many at a time: what is there is whole lines, and what is lost is
/// counted.
struct LogBatches: Sendable {
    /// What is to be told.
    enum News: Sendable, Equatable {
        /// Lines are lost from now on.
        case losing
        /// There is room again, after so many that were lost.
        case goesOn(lost: Int)
    }

    /// How many lines are lost.
    private(set) var lost = 0

    /// The rest of a line of which a part is written.
    private var rest: ArraySlice<UInt8> = []
    private var lostInARow = 0

    /// Nothing written yet.
    init() {}

    /// Counts lines that came to nothing before they got here.
    ///
    /// - Returns: What is to be told; nil for nothing.
    mutating func lose(_ count: Int) -> News? {
        guard count > 0 else { return nil }
        defer { (lost, lostInARow) = (lost + count, lostInARow + count) }
        return lostInARow == 0 ? .losing : nil
    }

    /// Adds lines; those that do not fit are lost, and one that fits in part is completed before the next.
    ///
    /// - Parameters:
    ///   - lines: The lines, each with its end.
    ///   - write: Writes the beginning of some bytes, as much as there is room for, and returns how many that was.
    /// - Returns: What is to be told; nil for nothing.
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

    /// Forgets the rest of a line, as what comes goes into another file.
    mutating func forgetRest() {
        if !rest.isEmpty { _ = lose(1) }
        rest = []
    }

    private static let newline = UInt8(ascii: "\n")
}
