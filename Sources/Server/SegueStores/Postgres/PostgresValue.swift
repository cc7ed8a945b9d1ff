/// A parameter of a statement, in PostgreSQL's text format.
package struct PostgresValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral
{
    /// The text; nil for NULL.
    let text: String?

    package init(_ text: String?) { self.text = text?.replacing("\0", with: "\u{FFFD}") }
    package init(_ number: Int64?) { text = number.map(String.init) }
    package init(_ number: Int) { text = String(number) }
    package init(_ number: Double) { text = "\(number)" }
    package init(_ isTrue: Bool) { text = isTrue ? "t" : "f" }
    package init(stringLiteral text: String) { self.init(text) }
    package init(integerLiteral number: Int64) { text = String(number) }
    package init(nilLiteral: ()) { text = nil }

    /// Creates a value of bytes in hexadecimal format.
    package init(bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        text = "\\x" + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// A row of a result, in PostgreSQL's text format.
package struct PostgresRow: Sendable {
    /// The columns in the statement's order; nil for NULL.
    let columns: [String?]

    /// A column's text; nil for NULL and for a missing column.
    package func text(_ column: Int) -> String? { columns.indices.contains(column) ? columns[column] : nil }

    /// A column as an integer; nil if it is malformed.
    package func integer(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }

    /// A column as a number; nil if it is malformed.
    package func number(_ column: Int) -> Double? { text(column).flatMap { Double($0) } }

    package func isTrue(_ column: Int) -> Bool { text(column) == "t" }

    /// A column's bytes; nil if it is malformed.
    package func bytes(_ column: Int) -> [UInt8]? {
        guard let text = text(column), text.hasPrefix("\\x"), text.utf8.count % 2 == 0 else { return nil }
        let digits = text.utf8.dropFirst(2).map { UInt8(hexadecimal: $0) }
        guard !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    }
}

extension UInt8 {
    /// The value of a lower-case hexadecimal digit.
    fileprivate init?(hexadecimal digit: UInt8) {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self = digit - UInt8(ascii: "a") + 10
        default: return nil
        }
    }
}
