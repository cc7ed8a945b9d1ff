/// Lists as header fields write them: elements between commas, with blanks around them (RFC 9110, section 5.6.1).
enum HTTPList {
    /// The elements that are not empty, without the blanks around them.
    ///
    /// For values in which no comma can stand inside of quotes: ranges, codings and this server's entity tags.
    static func elements(_ value: Substring) -> [Substring] {
        value.utf8.split(separator: UInt8(ascii: ",")).map { trimmed(Substring($0)) }.filter { !$0.isEmpty }
    }

    /// A text without the spaces and tabs around it.
    static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var bytes = text.utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
