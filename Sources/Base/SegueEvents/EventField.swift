/// A named value of an event.
package struct EventField: Sendable, Equatable {
    package let name: String
    package let value: EventValue
}

/// A value in a log.
package enum EventValue: Sendable, Equatable {
    case text(String)
    case integer(Int)
    /// A number, written with at most six decimals.
    case number(Double)
    case flag(Bool)
}

extension EventKind {
    /// The name in logs.
    package var name: String { declaration.name }

    /// The name in logs, and the values in order.
    package var record: (name: String, fields: [EventField]) {
        let collector = FieldCollector()
        do {
            try encode(to: FieldEncoder(collector: collector))
        } catch {
            preconditionFailure("an event has values that a log cannot hold: \(error)")
        }
        return (name, collector.fields)
    }

    /// Creates an event from its name in logs and its values.
    ///
    /// - Throws: A `DecodingError` if the name is unknown, or a value is missing or of the wrong type.
    package init(name: String, fields: [String: EventValue]) throws {
        try self.init(from: FieldDecoder(name: name, fields: fields))
    }

    /// Creates an event of a kind with empty values.
    ///
    /// - Throws: A `DecodingError` if the name is unknown.
    init(blank name: String) throws {
        try self.init(from: FieldDecoder(name: name, fields: nil))
    }
}
