internal import SegueBase
internal import SegueData

/// What an event must be for a rule to forbid or require it, and for a step to wait for it or count it.
package struct EventMatch: Sendable, Equatable, CustomStringConvertible {
    enum Demand: Sendable, Equatable {
        case text(String)
        case number(Comparison)
    }

    /// What a field of the event must be.
    struct Field: Sendable, Equatable {
        let name: String
        let demand: Demand
    }

    /// Its name, such as `item.stalled`; nil for any.
    package let kind: String?

    /// Its level; nil for any.
    package let level: EventLevel?

    /// Its source; nil for any.
    package let source: EventSource?

    /// What fields of it must be, in order of their names.
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

    /// Whether an event is one.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - lookup: The values of the names that expressions have.
    /// - Returns: Whether it is.
    package func matches(_ event: Event, _ lookup: (String) -> Double? = { _ in nil }) -> Bool {
        if level != nil || source != nil {
            let declaration = event.kind.declaration
            guard level == nil || level == declaration.level, source == nil || source == declaration.source else {
                return false
            }
        }
        guard kind == nil || kind == event.kind.name else { return false }
        // Making the record takes longer than all else that is asked.
        guard !fields.isEmpty else { return true }
        let values = event.kind.record.fields
        return fields.allSatisfy { field in
            values.contains { $0.name == field.name && EventMatch.meets($0.value, field.demand, lookup) }
        }
    }

    private static func meets(_ value: EventValue, _ demand: Demand, _ lookup: (String) -> Double?) -> Bool {
        switch (value, demand) {
        case (.integer(let value), .number(let comparison)): comparison.holds(Double(value), lookup) ?? false
        case (.number(let value), .number(let comparison)): comparison.holds(value, lookup) ?? false
        case (_, .text(let text)): value.plain == text
        default: false
        }
    }
}
