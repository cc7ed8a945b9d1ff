/// The values that the synthesized encoding of ``EventKind`` passes on.
final class FieldCollector {
    var fields: [EventField] = []
}

/// An encoder that turns an event's case into flat fields.
struct FieldEncoder: Encoder {
    let collector: FieldCollector

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FieldContainer<Key>(collector: collector))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("events hold no lists") }

    func singleValueContainer() -> any SingleValueEncodingContainer { preconditionFailure("events hold plain values") }
}

private struct FieldContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let collector: FieldCollector
    var codingPath: [any CodingKey] { [] }

    mutating func encode(_ value: String, forKey key: Key) { add(.text(value), key) }
    mutating func encode(_ value: Int, forKey key: Key) { add(.integer(value), key) }
    mutating func encode(_ value: Double, forKey key: Key) { add(.number(value), key) }
    mutating func encode(_ value: Bool, forKey key: Key) { add(.flag(value), key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        throw EncodingError.invalidValue(value, .init(codingPath: [key], debugDescription: "not a plain value"))
    }

    mutating func encodeNil(forKey key: Key) throws {
        throw EncodingError.invalidValue(
            Key.self,
            .init(codingPath: [key], debugDescription: "events hold no missing values")
        )
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(FieldContainer<Nested>(collector: collector))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure("events hold no lists")
    }

    mutating func superEncoder() -> any Encoder { preconditionFailure("events have no base class") }

    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }

    private func add(_ value: EventValue, _ key: Key) {
        collector.fields.append(EventField(name: key.stringValue, value: value))
    }
}
