/// Reads the bytes of an ``XMLDocument``, without recursion.
struct XMLDocumentReader {
    private static let maximumNameLength = 1024
    private static let maximumReferenceLength = 10

    private let bytes: [UInt8]
    private let limits: XMLDocument.Limits
    private var position = 0
    /// The indices of the elements whose end tags have not been read.
    private var open: [Int] = []
    private(set) var elements: [XMLDocument.Element] = []

    init(_ bytes: [UInt8], _ limits: XMLDocument.Limits) { (self.bytes, self.limits) = (bytes, limits) }

    mutating func read() throws(XMLDocument.Failure) {
        _ = skip("\u{FEFF}")
        if skip("<?xml") { try declaration() }
        while position < bytes.count { try next() }
        guard !elements.isEmpty else { throw failure("an element is expected") }
        guard open.isEmpty else { throw failure("the document ends before its element does") }
    }

    private mutating func next() throws(XMLDocument.Failure) {
        guard bytes[position] == UInt8(ascii: "<") else { return try text() }
        if skip("<!--") { return try move(to: "-->", "a comment has no end") }
        if skip("<![CDATA[") { return try characterData() }
        if skip("</") { return try endTag() }
        if skip("<?") {
            guard limits.allowsInstructions else { throw failure("a processing instruction is not allowed") }
            return try move(to: "?>", "a processing instruction has no end")
        }
        if skip("<!DOCTYPE") { throw failure("document types are not supported") }
        position += 1
        try startTag()
    }

    /// Reads the rest of `<?xml version="1.0" encoding="utf-8"?>`.
    private mutating func declaration() throws(XMLDocument.Failure) {
        let start = position
        while !skip("?>") {
            guard position < bytes.count, bytes[position] != UInt8(ascii: "<") else {
                throw failure("the XML declaration has no end")
            }
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard let encoding = text.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1,
            encoding != "utf-8", encoding != "utf8"
        else { return }
        let isWide = ["utf-16", "utf-32", "ucs", "iso-10646"].contains { encoding.hasPrefix($0) }
        guard !isWide, bytes.allSatisfy({ $0 < 0x80 }) else {
            throw failure("the encoding is '\(encoding)', must be UTF-8")
        }
    }

    private mutating func text() throws(XMLDocument.Failure) {
        let start = position
        let text = try characters(until: UInt8(ascii: "<"))
        if let last = open.last { return elements[last].content.append(.text(text)) }
        guard bytes[start..<position].allSatisfy(Self.isBlank) else {
            position = start
            throw failure("text is outside of the document's element")
        }
    }

    private mutating func characterData() throws(XMLDocument.Failure) {
        guard let last = open.last else { throw failure("a CDATA section is outside of the document's element") }
        let start = position
        try move(to: "]]>", "a CDATA section has no end")
        let text = String(decoding: bytes[start..<(position - 3)], as: UTF8.self)
        elements[last].content.append(.text(text))
    }

    private mutating func endTag() throws(XMLDocument.Failure) {
        let name = try name()
        skipBlanks()
        guard let last = open.popLast(), elements[last].name == name, skip(">") else {
            throw failure("the end tag of '\(name)' does not match the open element")
        }
    }

    private mutating func startTag() throws(XMLDocument.Failure) {
        let name = try name()
        guard !open.isEmpty || elements.isEmpty else { throw failure("the document has a second element") }
        guard elements.count < limits.elements else { throw failure("more than \(limits.elements) elements") }
        guard open.count < limits.depth else { throw failure("more than \(limits.depth) elements within each other") }
        let (attributes, isEmpty) = try attributes(of: name)
        let index = elements.count
        elements.append(XMLDocument.Element(name: name, attributes: attributes, parent: open.last))
        if let last = open.last { elements[last].content.append(.element(index)) }
        if !isEmpty { open.append(index) }
    }

    /// Reads the attributes of an element, and the end of its tag.
    private mutating func attributes(
        of element: String
    ) throws(XMLDocument.Failure) -> (attributes: [String: String], isEmpty: Bool) {
        var attributes: [String: String] = [:]
        while true {
            let hasBlank = skipBlanks()
            if skip("/>") { return (attributes, true) }
            if skip(">") { return (attributes, false) }
            guard hasBlank else { throw failure("a blank is expected in the tag of '\(element)'") }
            guard attributes.count < limits.attributes else {
                throw failure("more than \(limits.attributes) attributes of '\(element)'")
            }
            let name = try name()
            guard attributes[name] == nil else { throw failure("'\(element)' has the attribute '\(name)' twice") }
            attributes[name] = try attributeValue()
        }
    }

    private mutating func attributeValue() throws(XMLDocument.Failure) -> String {
        skipBlanks()
        guard skip("=") else { throw failure("'=' is expected") }
        skipBlanks()
        guard position < bytes.count, case let quote = bytes[position],
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { throw failure("a quoted value is expected") }
        position += 1
        let value = try characters(until: quote)
        guard position < bytes.count else { throw failure("a quoted value has no end") }
        position += 1
        return value
    }

    /// Reads the characters before a byte, with their references resolved.
    private mutating func characters(until end: UInt8) throws(XMLDocument.Failure) -> String {
        var result: [UInt8] = []
        while position < bytes.count, case let byte = bytes[position], byte != end {
            guard byte != UInt8(ascii: "<") else { throw failure("'<' in a value") }
            guard byte >= 0x20 || Self.isBlank(byte) else { throw failure("a control character") }
            position += 1
            if byte == UInt8(ascii: "&") { result += try reference() } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads the rest of a reference, after its `&`.
    private mutating func reference() throws(XMLDocument.Failure) -> [UInt8] {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ";") {
            guard position - start < Self.maximumReferenceLength else { throw failure("a reference has no end") }
            position += 1
        }
        guard position < bytes.count else { throw failure("a reference has no end") }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let scalar = Self.scalar(word) else { throw failure("'&\(word);' is not declared") }
        position += 1
        return Array(String(Character(scalar)).utf8)
    }

    private static func scalar(_ word: String) -> Unicode.Scalar? {
        let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let scalar = named[word] { return scalar }
        let isHexadecimal = word.hasPrefix("#x")
        let digits = word.dropFirst(isHexadecimal ? 2 : 1)
        guard word.hasPrefix("#"), digits.first?.isHexDigit == true,
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            number >= 0x20 && number != 0xFFFE && number != 0xFFFF || [0x9, 0xA, 0xD].contains(number)
        else { return nil }
        return scalar
    }

    private mutating func name() throws(XMLDocument.Failure) -> String {
        let start = position
        while position < bytes.count, case let byte = bytes[position],
            Self.beginsName(byte) || position > start && Self.continuesName(byte)
        {
            position += 1
        }
        guard position > start, position - start <= Self.maximumNameLength else { throw failure("a name is expected") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    private static func continuesName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x9, 0xA, 0xD].contains(byte) }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = position
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes.count - position >= wanted.count, bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// Moves behind the next occurrence of a text.
    private mutating func move(to text: StaticString, _ message: String) throws(XMLDocument.Failure) {
        while !skip(text) {
            guard position < bytes.count else { throw failure(message) }
            position += 1
        }
    }

    private func failure(_ message: String) -> XMLDocument.Failure {
        XMLDocument.Failure(message: message, offset: position)
    }
}
