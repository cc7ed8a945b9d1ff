internal import SegueBase
internal import SeguePlaylists

/// The attributes of a line, parsed leniently.
///
/// A class, since many rules pass it on.
final class RawAttributes: Sendable {
    private let content: Content

    init(_ text: String) { content = Content(text) }

    /// The attributes in order.
    var values: [(name: String, value: AttributeValues.Value)] { content.values.all }
    /// The problem with the form of the list; nil if it is well formed.
    var problem: String? { content.problem }
    /// The repeated names.
    var repeated: [String] { content.repeated }

    /// Returns the first value of a name as written.
    func found(_ name: String) -> (name: String, value: String, isQuoted: Bool)? {
        content.values[name].map { (name, $0.text, $0.isQuoted) }
    }

    subscript(_ name: String) -> String? { content.values[name]?.text }

    /// Returns the numeric value of an attribute.
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
                problem = "\(name.prefix(40).debugDescription) is not an attribute name"
                return
            }
            rest = rest[rest.index(after: equals)...].drop { $0 == UInt8(ascii: " ") }
            guard readValue(of: name, &rest) else {
                problem = "the quoted string of \(name) has no closing quote"
                return
            }
            guard !rest.isEmpty else { return }
            let hasComma = rest.removeFirst() == UInt8(ascii: ",")
            guard hasComma, !rest.isEmpty else {
                problem = "\(name) is not followed by a comma and another attribute"
                return
            }
        }
    }

    private static let nameLetters = Letters("A-Z0-9-")

    /// Removes spaces at both ends.
    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == UInt8(ascii: " ") }
        while text.last == UInt8(ascii: " ") { text = text.dropLast() }
        return text
    }

    /// Consumes a value with surrounding spaces; returns false if a quoted string has no end.
    private mutating func readValue(of name: String, _ rest: inout Substring.UTF8View) -> Bool {
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            append(name, String(Substring(rest[..<end])), isQuoted: true)
            rest = rest[rest.index(after: end)...].drop { $0 == UInt8(ascii: " ") }
        } else {
            let value = rest[..<(rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex)]
            let kept = Self.trimmed(value)
            if kept.isEmpty || kept.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }) {
                problem = "the value of \(name) is malformed: \(Substring(value).prefix(40).debugDescription)"
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
