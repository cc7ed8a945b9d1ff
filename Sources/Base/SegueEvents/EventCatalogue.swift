/// All kinds of events.
package enum EventCatalogue {
    /// One event of each kind, in the order of the documentation, with empty values.
    package static let examples: [EventKind] = EventKind.CodingKeys.allCases.map { key in
        do {
            return try EventKind(blank: key.rawValue)
        } catch {
            preconditionFailure("\(key.rawValue) is not the name of an event: \(error)")
        }
    }

    /// The names of all kinds in logs.
    package static let names = Set(EventKind.CodingKeys.allCases.map(\.rawValue))

    private static let declarations = Dictionary(
        uniqueKeysWithValues: examples.map { ($0.name, $0.declaration) }
    )

    /// The declaration of the kind with a name; nil for an unknown name.
    package static func declaration(of name: String) -> EventDeclaration? { declarations[name] }

    /// The page of documentation, as Markdown.
    package static var markdown: String {
        var page = """
            # Events

            A log holds one JSON object per line, ordered by time. Each has `t` (seconds since the run began, with microseconds),
            `source`, `kind`, `level`, and the fields of its kind. `segue events` generates this page.

            | kind | source | level | fields | meaning |
            |---|---|---|---|---|

            """
        for example in examples {
            let declaration = example.declaration
            let fields = example.record.fields.map { "`\($0.name)` \($0.value.typeName)" }.joined(separator: ", ")
            page +=
                "| `\(declaration.name)` | \(declaration.source.rawValue) | \(declaration.level.rawValue) | \(fields)"
            page += " | \(declaration.meaning) |\n"
        }
        return page
    }
}

extension EventValue {
    fileprivate var typeName: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .number: "number"
        case .flag: "true or false"
        }
    }
}
