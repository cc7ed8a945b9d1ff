/// A request header field given on the command line.
package struct RequestHeader: Sendable, Equatable {
    package let name: String

    package let value: String

    /// Parses `Name: value`; nil for a malformed field or one with line breaks.
    package init?(_ text: String) {
        let signs = "!#$%&'*+-.^_`|~".utf8
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isToken = name.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || signs.contains(byte)
        }
        guard !name.isEmpty, isToken, name.count < text.utf8.count,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.name = String(text[..<name.endIndex])
        value = String(text[name.endIndex...].dropFirst().drop { $0 == " " })
    }
}
