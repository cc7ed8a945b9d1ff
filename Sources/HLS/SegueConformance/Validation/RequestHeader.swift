/// A header field of one's own, as it is written for a command.
package struct RequestHeader: Sendable, Equatable {
    /// Its name.
    package let name: String

    /// Its value.
    package let value: String

    /// Reads `Name: value`; nil for what is no header field, or would be two.
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
