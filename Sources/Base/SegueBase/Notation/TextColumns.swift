/// The width of text on a terminal.
package enum TextColumns {
    /// The number of columns that a text takes: two for wide characters (East Asian ones and emoji), none for combining
    /// marks.
    package static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// Truncates a text to a number of columns, with an ellipsis.
    package static func cut(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
        guard width(of: text) > columns else { return text }
        var kept = ""
        var used = width(of: ellipsis)
        for letter in text {
            used += width(of: letter)
            guard used <= columns else { break }
            kept.append(letter)
        }
        return columns < width(of: ellipsis) ? "" : kept + ellipsis
    }

    /// Returns the text in ASCII, with a question mark for each character without an equivalent.
    package static func ascii(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    if scalar.isASCII { return [scalar] }
                    switch scalar {
                    case "…": return [".", ".", "."]
                    case "·": return ["-"]
                    case "→": return ["-", ">"]
                    case "–", "−": return ["-"]
                    default: return scalar.properties.isGraphemeExtend ? [] : ["?"]
                    }
                }
            )
        )
    }

    private static func width(of letter: Character) -> Int {
        guard let first = letter.unicodeScalars.first else { return 0 }
        if first.properties.isGraphemeExtend { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        // Unicode's East Asian Width, W and F: Hangul, CJK, and full-width forms.
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
