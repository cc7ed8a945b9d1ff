/// A set of ASCII characters.
struct Letters: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The characters of a text with ranges such as `0-9`; a `-` at the end is literal.
    init(_ text: StaticString) {
        let bytes = text.withUTF8Buffer { Array($0) }
        var index = 0
        while index < bytes.count {
            let isRange = index + 2 < bytes.count && bytes[index + 1] == UInt8(ascii: "-")
            for byte in bytes[index]...(isRange ? bytes[index + 2] : bytes[index]) { insert(byte) }
            index += isRange ? 3 : 1
        }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }

    static let digits = Letters("0-9")
    static let hexadecimal = Letters("0-9A-Fa-f")
    static let alphabet = Letters("A-Za-z")
    /// Letters and digits.
    static let words = Letters("A-Za-z0-9")
    /// The characters of variable names (rfc8216bis, 4.3).
    static let names = Letters("A-Za-z0-9_-")
}

extension StringProtocol {
    /// Returns true if the text is not empty and has these characters only.
    func isAll(of letters: Letters) -> Bool { !isEmpty && utf8.allSatisfy(letters.contains) }
}
