package import Foundation
package import SegueBase

/// The events of a run in order, with JSON Lines as the file format.
package struct EventLog: Sendable {
    /// The events, in order of time.
    package private(set) var events: [Event] = []

    package init() {}

    /// Adds an event; its time must not precede that of the last one.
    package mutating func append(_ kind: EventKind, at now: Instant) {
        precondition(events.last.map { $0.at <= now } ?? true, "a log is ordered by time")
        events.append(Event(at: now, kind))
    }

    /// The log as JSON Lines, with equal bytes for equal events.
    package var jsonLines: String { events.map { $0.jsonLine + "\n" }.joined() }

    /// Reads a log.
    ///
    /// - Throws: ``EventLogError`` for a line that is not a known event.
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

/// A line of a log that is not a known event.
package struct EventLogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int

    package let reason: String

    package var description: String { "event log, line \(line): \(reason)" }
}

extension Event {
    /// The event as one JSON object: time, source, kind, and level, then its fields.
    package var jsonLine: String {
        let (name, fields) = kind.record
        let declaration = kind.declaration
        var line = "{\"t\":\(DecimalText.short(at.seconds)),\"source\":\"\(declaration.source.rawValue)\""
        line += ",\"kind\":\"\(name)\",\"level\":\"\(declaration.level.rawValue)\""
        for field in fields { line += ",\"\(field.name)\":\(field.value.json)" }
        return line + "}"
    }

    /// Reads an event from one JSON object.
    ///
    /// - Throws: A `DecodingError` if it is not a known event.
    package init(jsonLine: String) throws {
        try self.init(fields: Event.fields(jsonLine: Data(jsonLine.utf8)))
    }

    /// Reads the plain values of one JSON object; null, lists, and objects are omitted.
    ///
    /// - Throws: A `DecodingError` if it is not a JSON object.
    package static func fields(jsonLine: Data) throws -> [String: EventValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: jsonLine).compactMapValues(\.value)
    }

    /// Creates an event from the plain values of one JSON object.
    ///
    /// - Throws: A `DecodingError` if it is not a known event.
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
    package var json: String {
        switch self {
        case .text(let text): EventValue.quoted(text)
        case .integer(let value): "\(value)"
        case .number(let value): value.isFinite ? DecimalText.short(value) : "null"
        case .flag(let value): value ? "true" : "false"
        }
    }

    /// Returns a JSON string.
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

/// A plain value in a JSON object; nil for any other value.
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
