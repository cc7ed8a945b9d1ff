package import Foundation
package import SegueBase

/// What happened in a run, in order; readable and writable as JSON Lines.
package struct EventLog: Sendable {
    /// The events, ordered by time.
    package private(set) var events: [Event] = []

    /// An empty log.
    package init() {}

    /// Adds an event; its time may not lie before the last one's.
    package mutating func append(_ kind: EventKind, at now: Instant) {
        precondition(events.last.map { $0.at <= now } ?? true, "a log is ordered by time")
        events.append(Event(at: now, kind))
    }

    /// The log as JSON Lines: one object a line, the same bytes for the same events.
    package var jsonLines: String { events.map { $0.jsonLine + "\n" }.joined() }

    /// Reads a log back.
    ///
    /// - Throws: ``EventLogError`` for a line that is not an event of the vocabulary.
    package init(jsonLines: String) throws(EventLogError) {
        for (index, line) in jsonLines.split(separator: "\n").enumerated() {
            do {
                events.append(try Event(jsonLine: String(line)))
            } catch {
                throw EventLogError(line: index + 1, reason: "\(error)")
            }
        }
    }
}

/// A line of a log that is not an event.
package struct EventLogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int

    /// What is wrong with it.
    package let reason: String

    package var description: String { "event log, line \(line): \(reason)" }
}

extension Event {
    /// The event as one JSON object: time, source, kind and level first, then its fields.
    package var jsonLine: String {
        let (name, fields) = kind.record
        let declaration = kind.declaration
        var line = "{\"t\":\(DecimalText.short(at.seconds)),\"source\":\"\(declaration.source.rawValue)\""
        line += ",\"kind\":\"\(name)\",\"level\":\"\(declaration.level.rawValue)\""
        for field in fields { line += ",\"\(field.name)\":\(field.value.json)" }
        return line + "}"
    }

    /// An event from one JSON object.
    ///
    /// - Throws: A `DecodingError` when it is not an event of the vocabulary.
    package init(jsonLine: String) throws {
        try self.init(fields: Event.fields(jsonLine: Data(jsonLine.utf8)))
    }

    /// The plain values of one JSON object; what is null, a list or an object is left out.
    ///
    /// - Throws: A `DecodingError` when it is no JSON object.
    package static func fields(jsonLine: Data) throws -> [String: EventValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: jsonLine).compactMapValues(\.value)
    }

    /// An event from the plain values of one JSON object.
    ///
    /// - Throws: A `DecodingError` when it is not an event of the vocabulary.
    package init(fields object: [String: EventValue]) throws {
        guard case .text(let name) = object["kind"] else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no kind"))
        }
        let at: Instant
        switch object["t"] {
        case .number(let seconds): at = Instant(seconds: seconds)
        case .integer(let seconds): at = Instant(seconds: Double(seconds))
        default: throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no time"))
        }
        self.init(at: at, try EventKind(name: name, fields: object))
    }
}

extension EventValue {
    /// The value as JSON.
    package var json: String {
        switch self {
        case .text(let text): EventValue.quoted(text)
        case .integer(let value): "\(value)"
        case .number(let value): value.isFinite ? DecimalText.short(value) : "null"
        case .flag(let value): value ? "true" : "false"
        }
    }

    /// A JSON string.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// A plain value in a JSON object; nil for any other.
private struct JSONValue: Decodable {
    let value: EventValue?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = .flag(flag)
        } else if let integer = try? container.decode(Int.self) {
            value = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else {
            value = (try? container.decode(String.self)).map { .text($0) }
        }
    }
}
