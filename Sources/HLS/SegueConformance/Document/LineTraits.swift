/// What bytes a line has that rules look for, found in one pass: most lines have none of them.
struct LineTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// Bytes below a blank but CR, DEL, and those that begin the scalars from U+0080 to U+00BF.
    static let control = LineTraits(rawValue: 1)
    /// CR.
    static let lineEnd = LineTraits(rawValue: 2)
    /// A blank.
    static let blank = LineTraits(rawValue: 4)
    /// What is not ASCII.
    static let foreign = LineTraits(rawValue: 8)
    /// An opening brace, as variables begin.
    static let brace = LineTraits(rawValue: 16)
    /// Two dots in a row, or a percent sign.
    static let climbing = LineTraits(rawValue: 32)
    /// An at sign.
    static let atSign = LineTraits(rawValue: 64)
    /// What stands in few URIs, or in none.
    static let uncommon = LineTraits(rawValue: 128)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of text: Substring.UTF8View) {
        var found: LineTraits = []
        var before: UInt8 = 0
        for byte in text {
            found.formUnion(Self.table[Int(byte)])
            if byte == UInt8(ascii: "."), before == byte { found.insert(.climbing) }
            before = byte
        }
        self = found
    }

    /// What URIs mostly are of.
    static let common = Letters("A-Za-z0-9./_?=&%:,;@!$'()*+~[]-")

    private static let table: [LineTraits] = (0...255).map { (byte: UInt8) -> LineTraits in
        var traits: LineTraits = common.contains(byte) ? [] : .uncommon
        switch byte {
        case 0x0D: traits.insert(.lineEnd)
        case 0x20: traits.insert(.blank)
        case UInt8(ascii: "{"): traits.insert(.brace)
        case UInt8(ascii: "%"): traits.insert(.climbing)
        case UInt8(ascii: "@"): traits.insert(.atSign)
        default: break
        }
        if byte < 0x20 && byte != 0x0D || byte == 0x7F || byte == 0xC2 { traits.insert(.control) }
        if byte >= 0x80 { traits.insert(.foreign) }
        return traits
    }
}
