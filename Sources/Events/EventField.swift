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
    package var name: String {
        let collector = FieldCollector(wantsFields: false)
        encode(into: collector)
        return EventKind.logName(ofCase: collector.caseName)
    }

    /// The name in logs and the values in their order.
    package var record: (name: String, fields: [EventField]) {
        let collector = FieldCollector()
        encode(into: collector)
        return (EventKind.logName(ofCase: collector.caseName), collector.fields)
    }

    private func encode(into collector: FieldCollector) {
        do {
            try encode(to: FieldEncoder(collector: collector, isInside: false))
        } catch {
            preconditionFailure("an event has values that a log cannot hold: \(error)")
        }
    }

    /// An event's kind from its name in logs and its values.
    ///
    /// - Throws: A `DecodingError` when the name is not one of the vocabulary or a value is missing or of another type.
    package init(name: String, fields: [String: EventValue]) throws {
        let parts = name.split(separator: ".", maxSplits: 1)
        let label = parts.count == 2 ? parts[0] + parts[1].prefix(1).uppercased() + parts[1].dropFirst() : name[...]
        try self.init(from: FieldDecoder(caseName: String(label), fields: fields))
    }

    /// `itemReadyToPlay` as `item.readyToPlay`.
    private static func logName(ofCase label: String) -> String {
        // Labels are ASCII, as all names in the code.
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard let capital = label.utf8.firstIndex(where: capitals.contains) else { return label }
        return label[..<capital] + "." + label[capital].lowercased() + label[label.index(after: capital)...]
    }
}
