/// Parses a short text from its start.
///
/// Unlike a regular expression, it needs no setup for each text.
struct FormReader {
    private(set) var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    /// True if all of the text was consumed.
    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes a text if it is next; returns false otherwise.
    mutating func takes(_ text: StaticString) -> Bool {
        let isHere = text.withUTF8Buffer { rest.starts(with: $0) }
        if isHere { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return isHere
    }

    /// Consumes one of some characters; returns nil if another one is next.
    mutating func one(of letters: Letters) -> UInt8? {
        guard let first = rest.first, letters.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// Consumes a run of some characters, up to the maximum count; returns nil if there are fewer than the minimum.
    mutating func some(of letters: Letters, _ counts: ClosedRange<Int> = 1...Int.max) -> Substring? {
        var (end, count) = (rest.startIndex, 0)
        while end < rest.endIndex, count < counts.upperBound, letters.contains(rest[end]) {
            end = rest.index(after: end)
            count += 1
        }
        guard count >= counts.lowerBound else { return nil }
        defer { rest = rest[end...] }
        return Substring(rest[..<end])
    }

    /// Consumes a decimal number with a number of digits; returns nil if there is none.
    mutating func number(_ digits: ClosedRange<Int> = 1...18) -> Int? { some(of: .digits, digits).flatMap { Int($0) } }

    /// Consumes a hexadecimal number with a number of digits; returns nil if there is none.
    mutating func hexadecimal(_ digits: ClosedRange<Int>) -> Int? {
        some(of: .hexadecimal, digits).flatMap { Int($0, radix: 16) }
    }
}
