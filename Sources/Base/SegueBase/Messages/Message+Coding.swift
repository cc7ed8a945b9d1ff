extension Message {
    /// The message with a text that was stored beside its parts; words alone if the parts print another text.
    package init(_ text: String, parts: Message?) {
        self = parts.flatMap { $0.text == text ? $0 : nil } ?? Message(words: text)
    }
}

/// A message in JSON is a list of its parts: words as texts, values as objects.
extension Message: Codable {
    package init(from decoder: any Decoder) throws {
        self.init()
        let value = try decoder.singleValueContainer()
        // A cache of an earlier version holds the text.
        if let text = try? value.decode(String.self) {
            append(.words(text))
        } else {
            for part in try value.decode([CodedPart].self) { append(part.part) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.singleValueContainer()
        try list.encode(parts.map(CodedPart.init))
    }
}

private struct CodedPart: Codable {
    let part: Message.Part

    private enum Key: String, CodingKey { case number, text, count, noun, value }

    init(_ part: Message.Part) { self.part = part }

    init(from decoder: any Decoder) throws {
        if let words = try? decoder.singleValueContainer().decode(String.self) {
            part = .words(words)
            return
        }
        let fields = try decoder.container(keyedBy: Key.self)
        if let number = try fields.decodeIfPresent(Double.self, forKey: .number) {
            part = .number(number, text: try fields.decode(String.self, forKey: .text))
        } else if let count = try fields.decodeIfPresent(Int.self, forKey: .count) {
            part = .count(count, of: try fields.decode(String.self, forKey: .noun))
        } else {
            part = .value(try fields.decode(String.self, forKey: .value))
        }
    }

    func encode(to encoder: any Encoder) throws {
        if case .words(let words) = part {
            var text = encoder.singleValueContainer()
            return try text.encode(words)
        }
        var fields = encoder.container(keyedBy: Key.self)
        switch part {
        case .words: break
        case .number(let number, let text):
            try fields.encode(number, forKey: .number)
            try fields.encode(text, forKey: .text)
        case .count(let count, let noun):
            try fields.encode(count, forKey: .count)
            try fields.encode(noun, forKey: .noun)
        case .value(let text): try fields.encode(text, forKey: .value)
        }
    }
}
