/// Characters that a terminal or a line-based format interprets instead of showing them.
///
/// Names of files, tags, and texts of servers may contain them, and could otherwise move the cursor, replace earlier lines,
/// or type commands.
package enum ControlCharacters {
    /// Returns the text on one line, with control characters made visible.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isOne) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars { append(scalar, to: &shown) }
        return shown
    }

    /// Returns lines with control characters made visible, except for line feeds, tabs, and, on request, colors.
    ///
    /// - Parameter keepsColors: True to keep sequences that select colors and weights (SGR; ECMA-48, section 8.3.117).
    package static func shownLines(_ text: String, keepsColors: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isOne($0) && $0 != "\n" && $0 != "\t" }) else { return text }
        var (shown, rest) = ("", text.unicodeScalars[...])
        while let scalar = rest.first {
            if keepsColors, let end = endOfColor(rest) {
                shown.unicodeScalars += rest[..<end]
                rest = rest[end...]
                continue
            }
            rest.removeFirst()
            if scalar == "\n" || scalar == "\t" {
                shown.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &shown)
            }
        }
        return shown
    }

    /// Returns JSON whose strings contain no such characters, which JSON itself allows in part.
    package static func shownJSON(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: { isOne($0) && $0 != "\n" }) else { return json }
        var shown = ""
        for scalar in json.unicodeScalars {
            if isOne(scalar), scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                shown += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        if isOne(scalar) { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
    }

    /// The end of a color sequence at the start of a text, or nil if there is none.
    private static func endOfColor(_ text: Substring.UnicodeScalarView) -> String.Index? {
        guard text.starts(with: ["\u{1B}", "["]) else { return nil }
        let rest = text.dropFirst(2)
        guard let end = rest.prefix(16).firstIndex(where: { !("0"..."9").contains($0) && $0 != ";" }), rest[end] == "m"
        else { return nil }
        return rest.index(after: end)
    }

    /// Returns true for control characters (C0, C1), separators of lines, and controls of the writing direction.
    private static func isOne(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
