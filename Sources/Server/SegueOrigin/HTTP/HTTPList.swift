/// Lists in header fields: comma-separated elements with optional whitespace (RFC 9110, section 5.6.1).
enum HTTPList {
    /// The elements that are not empty, without surrounding whitespace.
    ///
    /// For values without quoted commas: ranges, codings, and this server's entity tags.
    static func elements(_ value: Substring) -> [Substring] {
        value.utf8.split(separator: UInt8(ascii: ",")).map { trimmed(Substring($0)) }.filter { !$0.isEmpty }
    }

    /// The text without surrounding spaces and tabs.
    static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var bytes = text.utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
