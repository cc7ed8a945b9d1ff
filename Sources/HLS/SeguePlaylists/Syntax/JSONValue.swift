/// A JSON value (RFC 8259) for small manifests, parsed with a limited depth.
package enum JSONValue: Sendable, Equatable {
    /// The members by name.
    case object([String: JSONValue])
    /// The elements in order.
    case array([JSONValue])
    case string(String)
    case number(Double)
    /// A Boolean, `true` or `false`.
    case bool(Bool)
    case null

    /// The maximum depth.
    private static let mostDepth = 16

    /// Parses a text; nil if it is not valid JSON.
    package init?(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let value = reader.value(depth: JSONValue.mostDepth), reader.isAtEnd else { return nil }
        self = value
    }

    package subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }

    /// The string; nil for other values.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number; nil for other values.
    package var seconds: Double? { if case .number(let number) = self { number } else { nil } }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The string members of an object; nil for other values.
    package var texts: [String: String]? {
        guard case .object(let members) = self else { return nil }
        return members.compactMapValues(\.text)
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return place == bytes.count
            }
        }

        private mutating func skipSpace() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        }

        private mutating func takes(_ byte: Character) -> Bool {
            skipSpace()
            guard place < bytes.count, bytes[place] == byte.asciiValue else { return false }
            place += 1
            return true
        }

        private mutating func takes(word: String) -> Bool {
            guard bytes[place...].starts(with: word.utf8) else { return false }
            place += word.utf8.count
            return true
        }

        mutating func value(depth: Int) -> JSONValue? {
            skipSpace()
            guard depth > 0, place < bytes.count else { return nil }
            switch bytes[place] {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map(JSONValue.string)
            case UInt8(ascii: "t"): return takes(word: "true") ? .bool(true) : nil
            case UInt8(ascii: "f"): return takes(word: "false") ? .bool(false) : nil
            case UInt8(ascii: "n"): return takes(word: "null") ? .null : nil
            default:
                let digits = bytes[place...].prefix { byte in
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
                }
                place += digits.count
                return Double(String(decoding: digits, as: UTF8.self)).map(JSONValue.number)
            }
        }

        private mutating func object(depth: Int) -> JSONValue? {
            place += 1
            var members: [String: JSONValue] = [:]
            if takes("}") { return .object(members) }
            repeat {
                skipSpace()
                guard place < bytes.count, bytes[place] == UInt8(ascii: "\""), let name = string(), takes(":"),
                    let value = value(depth: depth - 1)
                else { return nil }
                members[name] = value
            } while takes(",")
            return takes("}") ? .object(members) : nil
        }

        private mutating func array(depth: Int) -> JSONValue? {
            place += 1
            var elements: [JSONValue] = []
            if takes("]") { return .array(elements) }
            repeat {
                guard let value = value(depth: depth - 1) else { return nil }
                elements.append(value)
            } while takes(",")
            return takes("]") ? .array(elements) : nil
        }

        private mutating func string() -> String? {
            place += 1
            var units: [UInt8] = []
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                switch byte {
                case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    units += Array(String(scalar).utf8)
                case 0..<0x20: return nil
                default: units.append(byte)
                }
            }
            return nil
        }

        /// Reads the character after a backslash.
        private mutating func escape() -> Unicode.Scalar? {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"):
                guard let high = unit() else { return nil }
                guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
                guard takes(word: "\\u"), let low = unit(), (0xDC00..<0xE000).contains(low) else { return nil }
                return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            default: return nil
            }
        }

        private mutating func unit() -> UInt32? {
            guard bytes.count - place >= 4 else { return nil }
            defer { place += 4 }
            return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        }
    }
}
