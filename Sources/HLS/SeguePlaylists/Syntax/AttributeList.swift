internal import SegueBase

/// An attribute list (RFC 8216, 4.2): names with values, each name once.
struct AttributeList {
    typealias Value = AttributeValues.Value

    let values: AttributeValues
    private let tag: String
    private let line: Int

    /// Reads an attribute list.
    ///
    /// - Parameters:
    ///   - text: What stands after the tag's colon.
    ///   - tag: The tag, for errors.
    ///   - line: The line's number, for errors.
    ///   - variables: What `{$name}` stands for in quoted strings and hexadecimal sequences.
    /// - Throws: ``PlaylistError`` when it does not follow the grammar.
    init(
        _ text: Substring,
        of tag: String,
        line: Int,
        variables: inout PlaylistVariables
    ) throws(PlaylistError) {
        var values = AttributeValues()
        var rest = text.utf8[...]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
                throw PlaylistError(.badLine, line: line, "\(tag) has an attribute without a value")
            }
            let name = String(Substring(rest[..<equals]).drop(while: { $0 == " " }))
            guard !name.isEmpty, name.utf8.allSatisfy(AttributeList.isNameByte) else {
                throw PlaylistError(
                    .badLine,
                    line: line,
                    "\(tag) has an attribute with the name \(name.debugDescription)"
                )
            }
            rest = rest[rest.index(after: equals)...]
            let value: Value
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
                    throw PlaylistError(.badLine, line: line, "the quoted string of \(name) does not end")
                }
                value = Value(text: try variables.put(into: Substring(rest[..<end]), line: line), isQuoted: true)
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
                let text = Substring(rest[..<end])
                let mayHaveVariables = AttributeList.isHexadecimal(name)
                value = Value(
                    text: mayHaveVariables ? try variables.put(into: text, line: line) : String(text),
                    isQuoted: false
                )
                rest = rest[end...]
            }
            guard values.append(name, value) else {
                throw PlaylistError(.repeated, line: line, "\(tag) has \(name) twice")
            }
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            if let separator = rest.first {
                guard separator == UInt8(ascii: ",") else {
                    throw PlaylistError(.badLine, line: line, "\(tag) has no comma after \(name)")
                }
                rest = rest.dropFirst()
            }
        }
        self.values = values
        self.tag = tag
        self.line = line
    }

    /// Whether an attribute's value may be a hexadecimal sequence.
    private static func isHexadecimal(_ name: String) -> Bool {
        name == "IV" || name.hasPrefix("X-") || name.hasPrefix("SCTE35-")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The value of a quoted string; nil when it is not there.
    func string(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard value.isQuoted else { throw bad(name, "a quoted string") }
        return value.text
    }

    /// The value of a quoted string that must be there.
    func requiredString(_ name: String) throws(PlaylistError) -> String {
        guard let value = try string(name) else { throw missing(name) }
        return value
    }

    /// The value of an enumerated string, hexadecimal sequence or the like; nil when it is not there.
    func word(_ name: String) -> String? { values[name]?.text }

    /// Whether the value is `YES`.
    func flag(_ name: String) -> Bool { values[name]?.text == "YES" }

    /// The value of a whole number; nil when it is not there.
    func integer(_ name: String) throws(PlaylistError) -> Int? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.integer(value.text[...]) else {
            throw bad(name, "a whole number")
        }
        return number
    }

    /// The value of a decimal number, which may be below zero; nil when it is not there.
    func decimal(_ name: String) throws(PlaylistError) -> Rational? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.signedDecimal(value.text[...]) else {
            throw bad(name, "a decimal number")
        }
        return number
    }

    /// The value of a decimal number that is zero or more, such as seconds; nil when it is not there.
    func length(_ name: String) throws(PlaylistError) -> Rational? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.decimal(value.text[...], most: PlaylistNumber.mostSeconds)
        else { throw bad(name, "a decimal number of zero or more") }
        return number
    }

    /// The value of a hexadecimal sequence as written; nil when it is not there.
    func hexadecimal(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, PlaylistNumber.isHexadecimal(value.text) else {
            throw bad(name, "a hexadecimal sequence")
        }
        return value.text
    }

    /// The members of a quoted list with commas, without blanks at their ends; empty when it is not there.
    func strings(_ name: String) throws(PlaylistError) -> [String] {
        try (string(name) ?? "").split(separator: ",").map { member in
            String(member.drop { $0 == " " }.prefix { $0 != " " })
        }
    }

    /// Whether it has an attribute that says that who does not know it must ignore the tag (RFC 8216bis, 6.3.1).
    func demandsMore(than known: String?) -> Bool {
        values.all.contains { $0.name.hasPrefix("REQ-") && $0.name != known }
    }

    /// The value of a size such as `1280x720`; nil when it is not there.
    func resolution(_ name: String) throws(PlaylistError) -> Resolution? {
        guard let value = values[name] else { return nil }
        let parts = value.text.split(separator: "x", omittingEmptySubsequences: false)
        guard !value.isQuoted, parts.count == 2, let width = PlaylistNumber.integer(parts[0]),
            let height = PlaylistNumber.integer(parts[1])
        else { throw bad(name, "a size such as 1280x720") }
        return Resolution(width: width, height: height)
    }

    func missing(_ name: String) -> PlaylistError { PlaylistError(.missing, line: line, "\(tag) has no \(name)") }

    func bad(_ name: String, _ wanted: String) -> PlaylistError {
        PlaylistError(.badLine, line: line, "\(name) of \(tag) is not \(wanted)")
    }
}
