internal import SegueBase
package import SegueData

extension EventMatch {
    /// Reads a pattern from a mapping with any of `kind`, `level`, `source`, and values of fields.
    ///
    /// The values stand in the mapping itself or under `fields`. A pattern that no event can match is an error.
    ///
    /// - Parameters:
    ///   - entry: The mapping; all remaining keys belong to the pattern.
    ///   - names: The names that expressions may use.
    /// - Throws: `HarnessError` for a pattern that no event can match.
    package init(_ entry: HarnessFields, names: Set<String>) throws(HarnessError) {
        var entry = entry
        var kinds = EventVocabulary()
        kind = try kinds.kind(at: "kind", &entry)
        level = try kinds.word("level", &entry) { $0.level }
        source = try kinds.word("source", &entry) { $0.source }
        var fields = try kinds.fields(&entry, names)
        if var listed = try entry.fields("fields") {
            fields += try kinds.fields(&listed, names)
            try listed.finish()
        }
        try entry.finish()
        guard kind != nil || level != nil || source != nil || !fields.isEmpty else {
            throw HarnessError(
                file: entry.file,
                line: entry.line,
                key: entry.path,
                message: "does not restrict the event; use kind, level, source, or values of fields"
            )
        }
        self.fields = fields.sorted { $0.name < $1.name }
    }

    /// Reads a pattern that is only the name of a kind.
    ///
    /// - Throws: `HarnessError` for an unknown kind.
    package init(kindAt key: String, in entry: inout HarnessFields) throws(HarnessError) {
        var kinds = EventVocabulary()
        kind = try kinds.kind(at: key, &entry)
        (level, source, fields) = (nil, nil, [])
    }
}

/// The kinds of events that a pattern can still match.
private struct EventVocabulary {
    struct Kind {
        let declaration: EventDeclaration
        let fields: [EventField]

        var name: String { declaration.name }

        func has(_ field: String) -> Bool { fields.contains { $0.name == field } }
    }

    private static let all = EventCatalogue.examples.map {
        Kind(declaration: $0.declaration, fields: $0.record.fields)
    }

    private var left = Self.all
    private var said: [String] = []

    /// Consumes the name of a kind.
    mutating func kind(at key: String, _ entry: inout HarnessFields) throws(HarnessError) -> String? {
        guard let name = try entry.text(key) else { return nil }
        left.removeAll { $0.name != name }
        guard !left.isEmpty else {
            throw entry.error(key, UnknownName(name, among: Self.all.map(\.name)).description)
        }
        return name
    }

    /// Consumes a level or a source, which a remaining kind must have.
    mutating func word<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _ entry: inout HarnessFields,
        of kind: (EventDeclaration) -> Choice
    ) throws(HarnessError) -> Choice? {
        guard let word = try entry.word(key, of: Choice.self) else { return nil }
        let own = Set(left.map { kind($0.declaration).rawValue }).sorted().joined(separator: " or ")
        left.removeAll { kind($0.declaration).rawValue != word.rawValue }
        guard !left.isEmpty else {
            throw entry.error(key, "is \(word.rawValue), but such events have \(own); no event matches")
        }
        return word
    }

    /// Consumes the requirements on fields; one kind must have all the fields.
    mutating func fields(_ entry: inout HarnessFields, _ names: Set<String>) throws(HarnessError)
        -> [EventMatch.Field]
    {
        var found: [EventMatch.Field] = []
        for name in Set(left.flatMap { $0.fields.map(\.name) }).sorted() {
            guard let text = try entry.text(name) else { continue }
            left.removeAll { !$0.has(name) }
            guard !left.isEmpty else {
                let others = said.joined(separator: " and ")
                throw entry.error(name, "and \(others) never occur in the same event; no event matches")
            }
            said.append(name)
            found.append(.init(name: name, demand: try demand(name, text, of: entry, names: names)))
        }
        return found
    }

    /// The requirement on a field, by its type in the remaining kinds.
    private func demand(_ name: String, _ text: String, of entry: HarnessFields, names: Set<String>)
        throws(HarnessError) -> EventMatch.Demand
    {
        let values = left.flatMap(\.fields).filter { $0.name == name }.map(\.value)
        if values.allSatisfy(\.isFlag), text != "true", text != "false" {
            throw entry.error(name, "is \(text), must be true or false")
        }
        guard values.allSatisfy(\.isNumber) else {
            let words = left.filter { $0.has(name) }.map { $0.declaration.words[name] }
            if words.allSatisfy({ $0 != nil }), !words.contains(where: { $0?.contains(text) ?? false }) {
                throw entry.error(name, UnknownName(text, among: Set(words.flatMap { $0 ?? [] }).sorted()).description)
            }
            return .text(text)
        }
        return .number(try entry.comparison(name, text, names: names))
    }
}

extension EventValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number: true
        case .text, .flag: false
        }
    }

    fileprivate var isFlag: Bool {
        if case .flag = self { return true }
        return false
    }
}
