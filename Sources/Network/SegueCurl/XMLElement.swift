/// An element of an XML document, with what is in it.
struct XMLElement: Sendable {
    /// The name as written, with its prefix.
    let name: String
    /// The attributes by name.
    let attributes: [String: String]
    /// The number of the element that it is in; nil for the document's own.
    let parent: Int?
    /// What is in it, in order.
    var content: [Content] = []

    /// One thing in an element.
    enum Content: Sendable {
        case text(String)
        case element(Int)
    }
}

/// Why bytes are not read as XML.
struct XMLUnreadable: Error {
    let reason: String
}

/// Reads XML 1.0 in UTF-8, without document type declarations: nothing in it stands for something elsewhere.
struct XMLReader {
    private static let mostDepth = 500

    private let bytes: [UInt8]
    private var place = 0
    private(set) var elements: [XMLElement] = []

    /// Reads a document.
    ///
    /// - Throws: ``XMLUnreadable`` for what is not well-formed.
    init(_ bytes: [UInt8]) throws(XMLUnreadable) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw XMLUnreadable(reason: "it is not UTF-8") }
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        try read()
    }

    private mutating func read() throws(XMLUnreadable) {
        var open: [Int] = []
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                let text = try text(until: UInt8(ascii: "<"))
                guard let last = open.last else {
                    guard text.allSatisfy(\.isWhitespace) else { throw wrong("text outside of the document's element") }
                    continue
                }
                elements[last].content.append(.text(text))
                continue
            }
            if skip("<!--", to: "-->") || skip("<?", to: "?>") { continue }
            if has("<![CDATA["), let last = open.last {
                place += 9
                let start = place
                guard move(to: "]]>") else { throw wrong("a CDATA section has no end") }
                elements[last].content.append(.text(String(decoding: bytes[start..<place], as: UTF8.self)))
                place += 3
                continue
            }
            if has("<!") { throw wrong("it declares a document type, which is not read") }
            if has("</") {
                place += 2
                let name = name()
                space()
                guard let last = open.popLast(), elements[last].name == name, take(">") else {
                    throw wrong("the end of '\(name)' is not that of what is open")
                }
                continue
            }
            try begin(&open)
        }
        guard open.isEmpty, !elements.isEmpty else { throw wrong("it ends before its element does") }
    }

    private mutating func begin(_ open: inout [Int]) throws(XMLUnreadable) {
        place += 1
        let name = name()
        guard !name.isEmpty else { throw wrong("a tag has no name") }
        guard !open.isEmpty || elements.isEmpty else { throw wrong("there are two elements at the top") }
        guard open.count < Self.mostDepth else {
            throw wrong("more than \(Self.mostDepth) elements are in one another")
        }
        var attributes: [String: String] = [:]
        var isEmpty = false
        while true {
            space()
            isEmpty = take("/>")
            if isEmpty || take(">") { break }
            let key = self.name()
            space()
            guard !key.isEmpty, take("="), attributes[key] == nil else {
                throw wrong("an attribute of '\(name)' is wrong")
            }
            space()
            guard place < bytes.count, case let quote = bytes[place], quote == 0x22 || quote == 0x27 else {
                throw wrong("an attribute of '\(name)' has no quotes")
            }
            place += 1
            attributes[key] = try text(until: quote)
            guard place < bytes.count else { throw wrong("an attribute of '\(name)' has no end") }
            place += 1
        }
        let number = elements.count
        elements.append(XMLElement(name: name, attributes: attributes, parent: open.last))
        if let last = open.last { elements[last].content.append(.element(number)) }
        if !isEmpty { open.append(number) }
    }

    // MARK: Pieces

    private func has(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard has(text) else { return false }
        place += text.utf8.count
        return true
    }

    private mutating func move(to text: String) -> Bool {
        while place < bytes.count {
            if has(text) { return true }
            place += 1
        }
        return false
    }

    private mutating func skip(_ start: String, to end: String) -> Bool {
        let before = place
        guard take(start), move(to: end) else {
            place = before
            return false
        }
        place += end.utf8.count
        return true
    }

    private mutating func space() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func name() -> String {
        let start = place
        while place < bytes.count, case let byte = bytes[place],
            byte >= 0x80 || byte.isLetter || place > start && (byte.isDigit || byte == 0x2D || byte == 0x2E)
        {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The text up to a byte, with the references in it resolved.
    private mutating func text(until end: UInt8) throws(XMLUnreadable) -> String {
        var result: [UInt8] = []
        while place < bytes.count, bytes[place] != end {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "&") else {
                guard byte >= 0x20 || [0x09, 0x0A, 0x0D].contains(byte), byte != UInt8(ascii: "<") else {
                    throw wrong("a character that may not be there")
                }
                result.append(byte)
                continue
            }
            let start = place
            while place < bytes.count, bytes[place] != UInt8(ascii: ";"), place - start < 12 { place += 1 }
            let reference = String(decoding: bytes[start..<place], as: UTF8.self)
            guard place < bytes.count, bytes[place] == UInt8(ascii: ";"), let scalar = Self.scalar(reference) else {
                throw wrong("'&\(reference)' stands for nothing")
            }
            place += 1
            result += Array(String(Character(scalar)).utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard reference.hasPrefix("#") else { return nil }
        let digits = reference.dropFirst()
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap { $0 < 0x20 && ![9, 10, 13].contains($0) ? nil : Unicode.Scalar($0) }
    }

    private func wrong(_ what: String) -> XMLUnreadable { XMLUnreadable(reason: "\(what), at byte \(place)") }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Letters, the underscore, and the colon before which a prefix stands.
    fileprivate var isLetter: Bool {
        (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self == 0x3A
    }
}
