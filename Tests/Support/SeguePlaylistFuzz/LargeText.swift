import SegueBase

/// Playlists of about a megabyte, each made of a small one in one of the ways in which there can be much of something.
enum LargeText {
    private static let bytes = 1 << 20

    /// A large playlist.
    static func made(of text: [UInt8], _ chance: inout SeededRandom) -> [UInt8] {
        guard let end = text.firstIndex(of: 0x0A), end + 1 < text.count else { return text }
        let (first, body) = (text[...end], text[(end + 1)...] + [0x0A])
        let line = body.split(separator: 0x0A).randomElement(using: &chance) ?? []
        return switch Int.random(in: 0..<6, using: &chance) {
        // All of it again and again.
        case 0: first + copies(of: body) { copy, _ in copy }
        // The same with names that differ.
        case 1: first + copies(of: body, numbered)
        // One line of it.
        case 2: first + body + copies(of: line + [0x0A]) { copy, _ in copy }
        // One line with names that differ.
        case 3: first + body + copies(of: line + [0x0A], numbered)
        // The shortest lines: a million bytes of them.
        case 4: first + body + copies(of: line.prefix { $0 != UInt8(ascii: ":") } + [0x0A]) { copy, _ in copy }
        // One line as long as all.
        default: first + line + copies(of: Array(",X-A=\"b\"".utf8)[...], numberedNames) + [0x0A] + body
        }
    }

    private static func copies(
        of part: ArraySlice<UInt8>,
        _ made: (ArraySlice<UInt8>, Int) -> ArraySlice<UInt8>
    ) -> [UInt8] {
        var all: [UInt8] = []
        var number = 0
        while all.count < bytes {
            all += made(part, number)
            number += 1
        }
        return all
    }

    /// A number before the end of each quoted string.
    private static func numbered(_ text: ArraySlice<UInt8>, _ number: Int) -> ArraySlice<UInt8> {
        let pieces = text.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        let digits = Array(String(number).utf8)
        var all: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            if index > 0 { all.append(UInt8(ascii: "\"")) }
            all += piece
            if !index.isMultiple(of: 2), index + 1 < pieces.count { all += digits }
        }
        return all[...]
    }

    /// A number behind the attribute's name.
    private static func numberedNames(_ text: ArraySlice<UInt8>, _ number: Int) -> ArraySlice<UInt8> {
        Array(text.prefix { $0 != UInt8(ascii: "=") })[...] + Array(String(number).utf8)
            + text.drop { $0 != UInt8(ascii: "=") }
    }
}
