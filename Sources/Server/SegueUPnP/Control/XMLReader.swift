/// A strict and bounded parser of small untrusted XML documents.
///
/// It supports the subset of SOAP and device descriptions (XML 1.0 in UTF-8): elements, attributes, which are checked
/// and dropped, text, comments, CDATA, and predefined references. Document types are rejected, so there are no entities
/// to expand or to fetch.
package struct XMLReader {
    /// A rejected document.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package var message: String
        /// The byte offset.
        package var offset: Int
        /// One line for people.
        package var description: String { "XML, byte \(offset): \(message)" }
    }

    /// The maximum sizes.
    package enum Limit {
        package static let bytes = 64 << 10
        package static let elements = 512
        /// The nesting depth of elements.
        package static let depth = 24
        /// The attributes of one element.
        package static let attributes = 32
    }

    private let bytes: [UInt8]
    private var position = 0
    private var elements = 0

    /// Parses a document in UTF-8 and returns its root element.
    ///
    /// - Throws: ``Failure`` for a malformed or too large document.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> XMLNode {
        guard bytes.count <= Limit.bytes else {
            throw Failure(message: "the document exceeds \(Limit.bytes) bytes", offset: Limit.bytes)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(message: "the document is not valid UTF-8", offset: 0)
        }
        var reader = XMLReader(bytes: bytes)
        return try reader.document()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() throws(Failure) -> XMLNode {
        _ = skip("\u{FEFF}")
        if skip("<?xml") { try declaration() }
        try blanksAndComments()
        guard skip("<") else { throw failure("expected an element") }
        guard !skip("!DOCTYPE") else { throw failure("document types are not supported") }
        let root = try element(depth: 1)
        try blanksAndComments()
        guard position == bytes.count else { throw failure("unexpected content after the document") }
        return root
    }

    /// Parses the rest of `<?xml version="1.0" encoding="utf-8"?>`.
    private mutating func declaration() throws(Failure) {
        let start = position
        while !skip("?>") {
            guard let byte = next(), byte != UInt8(ascii: "<") else { throw failure("unterminated declaration") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard text.contains("encoding") else { return }
        guard text.contains("utf-8") else { throw failure("expected the encoding UTF-8") }
    }

    private mutating func blanksAndComments() throws(Failure) {
        while true {
            skipBlanks()
            guard skip("<!--") else { return }
            try comment()
        }
    }

    private mutating func comment() throws(Failure) {
        while !skip("-->") { guard next() != nil else { throw failure("unterminated comment") } }
    }

    /// Parses an element after its `<`.
    private mutating func element(depth: Int) throws(Failure) -> XMLNode {
        elements += 1
        guard elements <= Limit.elements else { throw failure("more than \(Limit.elements) elements") }
        guard depth <= Limit.depth else { throw failure("elements nested more than \(Limit.depth) deep") }
        let fullName = try name()
        var node = XMLNode(name: Self.local(fullName))
        if try attributes() { return node }
        var text: [UInt8] = []
        while true {
            guard let byte = next() else { throw failure("unterminated element '\(fullName)'") }
            switch byte {
            case UInt8(ascii: "&"): text += try reference()
            case UInt8(ascii: "<"):
                if skip("/") {
                    guard try name() == fullName else { throw failure("mismatched end tag of '\(fullName)'") }
                    skipBlanks()
                    guard skip(">") else { throw failure("expected '>'") }
                    node.text = String(decoding: text, as: UTF8.self)
                    return node
                } else if skip("!--") {
                    try comment()
                } else if skip("![CDATA[") {
                    let start = position
                    while !skip("]]>") { guard next() != nil else { throw failure("unterminated CDATA section") } }
                    text += bytes[start..<(position - 3)]
                } else {
                    node.children.append(try element(depth: depth + 1))
                }
            default: text.append(try character(byte))
            }
        }
    }

    /// Parses the attributes and the end of a tag; true for an empty element.
    private mutating func attributes() throws(Failure) -> Bool {
        for _ in 0...Limit.attributes {
            let hadBlank = skipBlanks()
            if skip("/>") { return true }
            if skip(">") { return false }
            guard hadBlank else { throw failure("expected whitespace") }
            _ = try name()
            skipBlanks()
            guard skip("=") else { throw failure("expected '='") }
            skipBlanks()
            guard let quote = next(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw failure("expected a quoted value")
            }
            while let byte = next(), byte != quote {
                guard byte != UInt8(ascii: "<") else { throw failure("unexpected '<' in a value") }
                if byte == UInt8(ascii: "&") { _ = try reference() } else { _ = try character(byte) }
            }
        }
        throw failure("more than \(Limit.attributes) attributes")
    }

    /// Resolves a reference after its `&`.
    private mutating func reference() throws(Failure) -> [UInt8] {
        let start = position
        while let byte = next(), byte != UInt8(ascii: ";") {
            guard position - start <= 10 else { throw failure("unterminated reference") }
        }
        guard position > start else { throw failure("unterminated reference") }
        let word = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        switch word {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        let isHexadecimal = word.hasPrefix("#x")
        let digits = word.dropFirst(isHexadecimal ? 2 : 1)
        guard word.hasPrefix("#"), digits.first?.isHexDigit == true,
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            Self.isCharacter(scalar)
        else { throw failure("undeclared entity '&\(word);'") }
        return Array(String(Character(scalar)).utf8)
    }

    /// Checks a byte of text; of the control characters only whitespace is allowed (section 2.2).
    private func character(_ byte: UInt8) throws(Failure) -> UInt8 {
        guard byte >= 0x20 || Self.isBlank(byte) else { throw failure("unexpected control character") }
        return byte
    }

    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
            || [0x9, 0xA, 0xD].contains(scalar.value)
    }

    private mutating func name() throws(Failure) -> String {
        let start = position
        while position < bytes.count, Self.isPartOfName(bytes[position]) { position += 1 }
        guard position > start, position - start <= 256 else { throw failure("expected a name of at most 256 bytes") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func local(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x9, 0xA, 0xD].contains(byte) }

    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = position
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skip(_ text: String) -> Bool {
        let wanted = text.utf8
        guard bytes.count - position >= wanted.count, bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private func failure(_ message: String) -> Failure { Failure(message: message, offset: position) }
}
