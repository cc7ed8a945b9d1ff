import SegueBase

/// What chance does to bytes.
enum Damage {
    private static let words = [
        "99999999999999999999", "-1", "0", "nan", "inf", "1e400", "-9223372036854775808", "0x", "\"", ",", "=",
        "{$path}",
        "{$", "YES", "NO", "#EXTM3U", "#EXT-X-", ":", "@", "\u{FEFF}", "\u{0}", "\t", "\r", "../../..",
        "file:///etc/passwd",
        "18446744073709551616", "0.0000000000000000000000001", "é", "\u{1F3B5}",
    ].map { Array($0.utf8) }

    /// A text with one to four kinds of damage to its lines, its numbers and its letters.
    static func ofText(_ text: [UInt8], _ other: [UInt8], _ chance: inout SeededRandom) -> [UInt8] {
        var text = text
        for _ in 0...Int.random(in: 0..<4, using: &chance) {
            switch Int.random(in: 0..<9, using: &chance) {
            case 0: text = lines(of: text) { lines, chance in _ = lines.remove(at: place(lines, &chance)) }(&chance)
            case 1:
                text = lines(of: text) { lines, chance in
                    lines.insert(lines[place(lines, &chance)], at: place(lines, &chance))
                }(&chance)
            case 2:
                text = lines(of: text) { lines, chance in lines.swapAt(place(lines, &chance), place(lines, &chance)) }(
                    &chance
                )
            case 3:
                let line = other.split(separator: 0x0A).randomElement(using: &chance) ?? []
                text = lines(of: text) { lines, chance in lines.insert(line, at: place(lines, &chance)) }(&chance)
            case 4: replaceNumber(&text, &chance)
            case 5:
                let place = Int.random(in: 0...text.count, using: &chance)
                text.insert(contentsOf: words.randomElement(using: &chance) ?? [], at: place)
            case 6: text = Array(text.prefix(Int.random(in: 0...text.count, using: &chance)))
            case 7:
                let place = Int.random(in: 0...text.count, using: &chance)
                let letter = UInt8.random(in: 0...255, using: &chance)
                text.insert(
                    contentsOf: repeatElement(letter, count: 1 << Int.random(in: 0...14, using: &chance)),
                    at: place
                )
            default: text = ofBytes(text, &chance)
            }
        }
        return text
    }

    private static func place(_ lines: [ArraySlice<UInt8>], _ chance: inout SeededRandom) -> Int {
        Int.random(in: lines.indices, using: &chance)
    }

    private static func lines(
        of text: [UInt8],
        _ change: @escaping (inout [ArraySlice<UInt8>], inout SeededRandom) -> Void
    ) -> (inout SeededRandom) -> [UInt8] {
        { chance in
            var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            guard !lines.isEmpty else { return text }
            change(&lines, &chance)
            return Array(lines.joined(separator: [0x0A]))
        }
    }

    private static func replaceNumber(_ text: inout [UInt8], _ chance: inout SeededRandom) {
        let starts = text.indices.filter { index in
            (0x30...0x39).contains(text[index]) && (index == 0 || !(0x30...0x39).contains(text[index - 1]))
        }
        guard let start = starts.randomElement(using: &chance) else { return }
        let end = text[start...].firstIndex { !(0x30...0x39).contains($0) } ?? text.endIndex
        text.replaceSubrange(start..<end, with: words.randomElement(using: &chance) ?? [])
    }

    /// Bytes with one to three kinds of damage; half of it to their beginning, which decides much.
    static func ofBytes(_ bytes: [UInt8], _ chance: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<3, using: &chance) where !bytes.isEmpty {
            let most = Bool.random(using: &chance) ? min(bytes.count, 1024) : bytes.count
            let place = Int.random(in: 0..<most, using: &chance)
            let length = min(bytes.count - place, 1 << Int.random(in: 0...10, using: &chance))
            switch Int.random(in: 0..<7, using: &chance) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
            case 1: for index in place..<place + length { bytes[index] = UInt8.random(in: 0...255, using: &chance) }
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 4: bytes.removeSubrange(place...)
            default:
                // A number of four bytes, as boxes and tables have them.
                let extremes: [UInt32] = [
                    0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, UInt32(truncatingIfNeeded: bytes.count),
                ]
                let value = extremes.randomElement(using: &chance) ?? 0
                for (offset, index) in (place..<min(place + 4, bytes.count)).enumerated() {
                    bytes[index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(offset)))
                }
            }
        }
        return bytes
    }
}
