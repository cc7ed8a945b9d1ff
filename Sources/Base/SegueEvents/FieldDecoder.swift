/// A decoder that creates an event's case from a name and flat fields, or from a name alone.
struct FieldDecoder: Decoder {
    let name: String
    /// The values; nil for a case with empty ones.
    let fields: [String: EventValue]?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FieldSource<Key>(name: name, fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notAPlainValue("a list") }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notAPlainValue("a single value") }

    private func notAPlainValue(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "an event is not \(what)"))
    }
}

private struct FieldSource<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let name: String
    let fields: [String: EventValue]?

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { Key(stringValue: name).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { fields?[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        guard case .text(let value) = try value(key, blank: .text("")) else { throw mismatch(type, key) }
        return value
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        guard case .integer(let value) = try value(key, blank: .integer(0)) else { throw mismatch(type, key) }
        return value
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        switch try value(key, blank: .number(0)) {
        case .number(let value): return value
        case .integer(let value): return Double(value)
        default: throw mismatch(type, key)
        }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        guard case .flag(let value) = try value(key, blank: .flag(false)) else { throw mismatch(type, key) }
        return value
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw mismatch(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(FieldSource<Nested>(name: name, fields: fields))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw mismatch([Int].self, key)
    }

    func superDecoder() throws -> any Decoder { FieldDecoder(name: name, fields: fields) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }

    private func value(_ key: Key, blank: EventValue) throws -> EventValue {
        guard let fields else { return blank }
        guard let value = fields[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "the field is missing"))
        }
        return value
    }

    private func mismatch(_ type: Any.Type, _ key: Key) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [key], debugDescription: "the field has the wrong type"))
    }
}
