/// Control characters, which a terminal or a line-based format interprets.
package enum ControlCharacters {
    /// Returns the text on one line, with control characters made visible.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isOne) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isOne(scalar) { shown += scalar.escaped(asASCII: true) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    private static func isOne(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
