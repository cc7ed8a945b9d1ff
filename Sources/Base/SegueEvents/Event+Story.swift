package import SegueBase

extension Event {
    /// The event in a line for people: its name, then its values.
    package var story: Message {
        let record = kind.record
        let words = kind.declaration.words
        var story: Message = "\(record.name)"
        for field in record.fields {
            switch field.value {
            case .text(""): break
            case .text(let text) where words[field.name] != nil: story += ", \(field.name) \(text)"
            // The log of another player may hold any text.
            case .text(let text): story += ", \(field.name) \(quoting: text)"
            case .integer(let number): story += ", \(field.name) \(number)"
            case .number(let number): story += ", \(field.name) \(number, as: field.value.json)"
            case .flag(let flag): story += ", \(field.name) \(flag)"
            }
        }
        return story
    }
}

extension EventValue {
    /// The value without quotes.
    package var plain: String {
        if case .text(let text) = self { return text }
        return json
    }
}
