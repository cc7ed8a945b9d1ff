/// The unusual bytes of a line, found in one pass.
///
/// Most lines have none, so that most rules can skip them.
struct LineTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// Control characters except CR, DEL, and the lead byte of U+0080 to U+00BF.
    static let control = LineTraits(rawValue: 1)
    /// The line has a carriage return.
    static let lineEnd = LineTraits(rawValue: 2)
    /// The line has a space.
    static let blank = LineTraits(rawValue: 4)
    /// A byte outside of ASCII.
    static let foreign = LineTraits(rawValue: 8)
    /// An opening brace, the start of a variable.
    static let brace = LineTraits(rawValue: 16)
    /// Two consecutive dots or a percent sign.
    static let climbing = LineTraits(rawValue: 32)
    static let atSign = LineTraits(rawValue: 64)
    /// A character that is rare or invalid in URIs.
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

    /// The common characters of URIs.
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
