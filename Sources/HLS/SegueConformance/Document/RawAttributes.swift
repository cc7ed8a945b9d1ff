internal import SeguePlaylists

/// The attributes of a line, read without a parser's strictness.
///
/// Many rules hand them on: an object is handed on at the price of one count.
final class RawAttributes: Sendable {
    private let content: Content

    init(_ text: String) { content = Content(text) }

    /// The attributes as they stand there.
    var values: [(name: String, value: AttributeValues.Value)] { content.values.all }
    /// What is wrong with the list's form; nil when nothing is.
    var problem: String? { content.problem }
    /// The names that are there already where they stand again.
    var repeated: [String] { content.repeated }

    /// The first value of a name with how it was written.
    func found(_ name: String) -> (name: String, value: String, isQuoted: Bool)? {
        content.values[name].map { (name, $0.text, $0.isQuoted) }
    }

    subscript(_ name: String) -> String? { content.values[name]?.text }

    /// The value of a number.
    func number(_ name: String) -> Double? { self[name].flatMap(Double.init) }
}

private struct Content: Sendable {
    private(set) var values = AttributeValues()
    private(set) var problem: String?
    private(set) var repeated: [String] = []

    init(_ text: String) {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
                problem = "an attribute has no value"
                return
            }
            // White space has a rule of its own.
            let name = String(Substring(Self.trimmed(rest[..<equals])))
            guard name.isAll(of: Self.nameLetters) else {
                problem = "\(name.prefix(40).debugDescription) is no attribute name"
                return
            }
            rest = rest[rest.index(after: equals)...].drop { $0 == UInt8(ascii: " ") }
            guard takeValue(of: name, &rest) else {
                problem = "the quoted string of \(name) does not end"
                return
            }
            guard !rest.isEmpty else { return }
            let hasComma = rest.removeFirst() == UInt8(ascii: ",")
            guard hasComma, !rest.isEmpty else {
                problem = "no attribute follows \(name) after a comma"
                return
            }
        }
    }

    private static let nameLetters = Letters("A-Z0-9-")

    /// A text without blanks at its ends.
    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == UInt8(ascii: " ") }
        while text.last == UInt8(ascii: " ") { text = text.dropLast() }
        return text
    }

    /// Takes a value with the blanks around it; false where a quoted string does not end.
    private mutating func takeValue(of name: String, _ rest: inout Substring.UTF8View) -> Bool {
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            append(name, String(Substring(rest[..<end])), isQuoted: true)
            rest = rest[rest.index(after: end)...].drop { $0 == UInt8(ascii: " ") }
        } else {
            let value = rest[..<(rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex)]
            let kept = Self.trimmed(value)
            if kept.isEmpty || kept.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }) {
                problem = "the value of \(name) is \(Substring(value).prefix(40).debugDescription)"
            }
            append(name, String(Substring(kept)), isQuoted: false)
            rest = rest[value.endIndex...]
        }
        return true
    }

    private mutating func append(_ name: String, _ text: String, isQuoted: Bool) {
        if !values.append(name, AttributeValues.Value(text: text, isQuoted: isQuoted)) { repeated.append(name) }
    }
}
