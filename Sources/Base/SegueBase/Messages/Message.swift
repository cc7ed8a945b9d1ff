/// A text for people that keeps its values apart from its words.
///
/// Messages with the same ``shape`` state the same fact about different values, so that nothing has to search the
/// printed text for numbers. An interpolated number is a value; an interpolated text is part of the words, since names
/// of tags, codecs, and attributes distinguish facts. `\(value:)` makes a value of any other text, such as a URL.
package struct Message: Sendable, Hashable {
    /// A part of a message.
    package enum Part: Sendable, Hashable {
        /// Text that all messages of a shape share.
        case words(String)
        /// A number and its printed form.
        case number(Double, text: String)
        /// A number of things with their noun in the singular; printed as `1 frame` or `12 frames`.
        case count(Int, of: String)
        /// Text that differs between messages of a shape, such as an address.
        case value(String)

        /// The printed text.
        package var text: String {
            switch self {
            case .words(let text), .number(_, let text), .value(let text): text
            case .count(let count, let noun): "\(count) \(noun)\(count == 1 ? "" : "s")"
            }
        }

        /// The text that all messages of a shape share; values have placeholders.
        package var common: String {
            switch self {
            case .words(let words): words
            case .number: "#"
            case .count(_, let noun): "# \(noun)"
            case .value(let text): QuotedText.common(ofName: text) ?? "*"
            }
        }
    }

    /// The parts in order; words are never empty, and never follow words.
    package private(set) var parts: [Part] = []

    /// An empty message.
    package init() {}

    /// A message without values.
    package init(words: some StringProtocol) { append(.words(String(words))) }

    /// The text of another program, whose numbers, addresses, and file names become values.
    package init(quoting text: String) { self = QuotedText.message(text) }

    /// The printed text.
    package var text: String { parts.map(\.text).joined() }

    package var isEmpty: Bool { parts.isEmpty }

    /// The text with `#` for each number and `*` for each value.
    package var shape: String { parts.map(\.common).joined() }

    package mutating func append(_ part: Part) {
        guard case .words(let words) = part else { return parts.append(part) }
        if case .words(let before)? = parts.last {
            parts[parts.count - 1] = .words(before + words)
        } else if !words.isEmpty {
            parts.append(part)
        }
    }

    /// Appends a number; one that is not finite becomes a value, since JSON cannot hold it.
    package mutating func append(_ number: Double, text: String) {
        append(number.isFinite ? .number(number, text: text) : .value(text))
    }

    package mutating func append(_ other: Message) { for part in other.parts { append(part) } }

    package static func + (one: Message, other: Message) -> Message {
        var sum = one
        sum.append(other)
        return sum
    }

    package static func += (one: inout Message, other: Message) { one.append(other) }

    /// The message after a change of its text; a change across parts makes the whole text words.
    package func replacing(_ change: (String) -> String) -> Message {
        let wanted = change(text)
        guard wanted != text else { return self }
        var changed = Message()
        for part in parts {
            switch part {
            case .words(let words): changed.append(.words(change(words)))
            case .value(let value): changed.append(.value(change(value)))
            case .number, .count: changed.append(part)
            }
        }
        return changed.text == wanted ? changed : Message(words: wanted)
    }
}

extension Message: CustomStringConvertible {
    package var description: String { text }
}

extension Sequence<Message> {
    /// The messages in one, with a separator between them.
    package func joined(separator: String) -> Message {
        var sum = Message()
        for (index, message) in enumerated() {
            if index > 0 { sum.append(.words(separator)) }
            sum.append(message)
        }
        return sum
    }
}
