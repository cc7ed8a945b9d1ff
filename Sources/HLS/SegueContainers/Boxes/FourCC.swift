/// A four-character code of a box, brand, or codec.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The four bytes, the first one most significant.
    package let number: UInt32

    @inlinable package init(_ number: UInt32) { self.number = number }

    /// A code by its four ASCII characters.
    @inlinable package init(stringLiteral text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
        var number: UInt32 = 0
        for place in 0..<4 { number = number << 8 | UInt32(text.utf8Start[place]) }
        self.init(number)
    }

    /// The characters, with dots for bytes that are not printable ASCII.
    package var description: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}
