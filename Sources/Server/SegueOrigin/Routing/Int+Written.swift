extension Int {
    /// Parses the number between a prefix and a suffix; nil unless it has the canonical form.
    init?(written text: Substring, after prefix: String = "", before suffix: String = "") {
        guard text.hasPrefix(prefix), text.hasSuffix(suffix),
            let number = Int(text.dropFirst(prefix.count).dropLast(suffix.count)), number >= 0,
            text == "\(prefix)\(number)\(suffix)"
        else { return nil }
        self = number
    }
}
