/// A named value of an event.
package struct EventField: Sendable, Equatable {
    /// The value's name in the log.
    package let name: String

    /// The value.
    package let value: EventValue
}

/// A value as the log holds it.
package enum EventValue: Sendable, Equatable {
    /// A string.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number, written with six decimals at the most.
    case number(Double)
    /// True or false.
    case flag(Bool)
}

extension EventKind {
    /// The name in logs.
    package var name: String { about.name }

    /// The name in logs and the values in their order.
    package var record: (name: String, fields: [EventField]) {
        let collector = FieldCollector()
        do {
            try encode(to: FieldEncoder(collector: collector))
        } catch {
            preconditionFailure("an event has values that a log cannot hold: \(error)")
        }
        return (name, collector.fields)
    }

    /// An event's kind from its name in logs and its values.
    ///
    /// - Throws: A `DecodingError` when the name is not one of the vocabulary or a value is missing or of another type.
    package init(name: String, fields: [String: EventValue]) throws {
        let parts = name.split(separator: ".", maxSplits: 1)
        let label = parts.count == 2 ? parts[0] + parts[1].prefix(1).uppercased() + parts[1].dropFirst() : name[...]
        try self.init(from: FieldDecoder(caseName: String(label), fields: fields))
    }
}
