/// A compact form of a timeline (SVG) for a page: the shared style is stored once, and common markup is a single byte.
///
/// The page restores it byte by byte and shows exactly what `segue play --draw` draws.
enum TimelineText {
    /// The bytes that stand for markup: control characters, which no SVG contains (XML 1.0, section 2.2).
    static let table: [(sign: UInt8, text: String)] = zip(
        [UInt8]([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18]),
        [
            "<rect x=\"", "<path d=\"M", "<text x=\"", "<circle cx=\"", "</text>", "\" y=\"", "\" width=\"",
            "\" height=\"",
            "\" class=\"", "\"/>", "\">", "\" cy=\"", "\" r=\"", "\" rx=\"", "<rect width=\"",
        ]
    ).map { ($0, $1) }

    /// The byte that stands for the shared style.
    static let common: UInt8 = 31

    /// The byte between two timelines of a block.
    static let divider: UInt8 = 0

    private static let texts = table.map { (sign: $0.sign, text: Array($0.text.utf8)) }

    /// Returns the range of a timeline's style; nil if it has none.
    static func style(in picture: [UInt8]) -> Range<Int>? {
        guard let start = place(of: "<style>", in: picture, from: 0),
            let end = place(of: "</style>", in: picture, from: start)
        else { return nil }
        return start..<end + "</style>".utf8.count
    }

    /// Returns the compact form of a timeline, without the style at a range.
    static func packed(_ picture: [UInt8], without style: Range<Int>?) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(picture.count / 2)
        var place = 0
        while place < picture.count {
            if let style, place == style.lowerBound {
                packed.append(common)
                place = style.upperBound
                continue
            }
            let byte = picture[place]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\""),
                let match = texts.first(where: { holds(picture, $0.text, at: place) })
            {
                packed.append(match.sign)
                place += match.text.count
            } else {
                // A control character would stand for markup.
                packed.append(byte < 0x20 ? UInt8(ascii: " ") : byte)
                place += 1
            }
        }
        return packed
    }

    private static func holds(_ bytes: [UInt8], _ text: [UInt8], at place: Int) -> Bool {
        guard bytes.count - place >= text.count else { return false }
        for index in text.indices where bytes[place + index] != text[index] { return false }
        return true
    }

    private static func place(of text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return nil }
        return (start...max(start, bytes.count - text.count)).first { holds(bytes, text, at: $0) }
    }
}
