extension Int {
    /// The number between two texts, written as this server writes it; nil for anything else.
    init?(written text: Substring, after prefix: String = "", before suffix: String = "") {
        guard text.hasPrefix(prefix), text.hasSuffix(suffix),
            let number = Int(text.dropFirst(prefix.count).dropLast(suffix.count)), number >= 0,
            text == "\(prefix)\(number)\(suffix)"
        else { return nil }
        self = number
    }
}
