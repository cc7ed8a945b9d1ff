internal import SegueBase
internal import SegueData

/// A pattern for events, which a rule forbids or requires, or for which a step waits.
package struct EventMatch: Sendable, Equatable, CustomStringConvertible {
    enum Demand: Sendable, Equatable {
        case text(String)
        case number(Comparison)
    }

    /// A requirement on a field.
    struct Field: Sendable, Equatable {
        let name: String
        let demand: Demand
    }

    /// The name of the kind, such as `item.stalled`; nil for any.
    package let kind: String?

    package let level: EventLevel?

    package let source: EventSource?

    /// The requirements on fields, in order of the names.
    let fields: [Field]

    package var description: String {
        let about = [kind, level.map { "level \($0.rawValue)" }, source.map { "source \($0.rawValue)" }]
        let parts = fields.map { field in
            switch field.demand {
            case .text(let text): "\(field.name) \(text)"
            case .number(let comparison): "\(field.name) \(comparison)"
            }
        }
        return (about.compactMap(\.self) + parts).joined(separator: ", ")
    }

    /// Returns whether an event matches.
    ///
    /// - Parameters:
    ///   - lookup: The values of names in expressions.
    /// - Returns: True if it matches.
    package func matches(_ event: Event, _ lookup: (String) -> Double? = { _ in nil }) -> Bool {
        if level != nil || source != nil {
            let declaration = event.kind.declaration
            guard level == nil || level == declaration.level, source == nil || source == declaration.source else {
                return false
            }
        }
        guard kind == nil || kind == event.kind.name else { return false }
        // Creating the record takes longer than all other checks.
        guard !fields.isEmpty else { return true }
        let values = event.kind.record.fields
        return fields.allSatisfy { field in
            values.contains { $0.name == field.name && EventMatch.meets($0.value, field.demand, lookup: lookup) }
        }
    }

    private static func meets(_ value: EventValue, _ demand: Demand, lookup: (String) -> Double?) -> Bool {
        switch (value, demand) {
        case (.integer(let value), .number(let comparison)): comparison.holds(Double(value), lookup) ?? false
        case (.number(let value), .number(let comparison)): comparison.holds(value, lookup) ?? false
        case (_, .text(let text)): value.plain == text
        default: false
        }
    }
}
