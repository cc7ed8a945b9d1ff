extension Event {
    /// The event in a line for people: its name, then its values.
    package var story: String {
        let record = kind.record
        let values = record.fields.map { "\($0.name) \($0.value.plain)" }.filter { !$0.hasSuffix(" ") }
        return ([record.name] + values).joined(separator: ", ")
    }
}

extension EventValue {
    /// The value without quotes.
    package var plain: String {
        if case .text(let text) = self { return text }
        return json
    }
}
