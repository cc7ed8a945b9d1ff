/// Takes a short text apart from its beginning, as its grammar has it; a pattern would be made anew for each text.
struct FormReader {
    private(set) var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    /// Whether all of it was taken.
    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a text where it stands here; false where another does.
    mutating func takes(_ text: StaticString) -> Bool {
        let isHere = text.withUTF8Buffer { rest.starts(with: $0) }
        if isHere { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return isHere
    }

    /// Takes one of some characters; nil where another stands here.
    mutating func one(of letters: Letters) -> UInt8? {
        guard let first = rest.first, letters.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// Takes as many of some characters as stand here, up to a number; nil where there are fewer than are needed.
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

    /// Takes a decimal number of so many digits; nil where there is none.
    mutating func number(_ digits: ClosedRange<Int> = 1...18) -> Int? { some(of: .digits, digits).flatMap { Int($0) } }

    /// Takes a hexadecimal number of so many digits; nil where there is none.
    mutating func hexadecimal(_ digits: ClosedRange<Int>) -> Int? {
        some(of: .hexadecimal, digits).flatMap { Int($0, radix: 16) }
    }
}
