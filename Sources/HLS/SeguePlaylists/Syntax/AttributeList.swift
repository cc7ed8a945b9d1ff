internal import SegueBase

/// An attribute list (RFC 8216, 4.2) with unique names.
struct AttributeList {
    typealias Value = AttributeValues.Value

    let values: AttributeValues
    private let tag: String
    private let line: Int

    /// Parses an attribute list.
    ///
    /// - Parameters:
    ///   - text: The text after the tag's colon.
    ///   - tag: The tag, for errors.
    ///   - line: The line number, for errors.
    ///   - variables: The values of `{$name}` in quoted strings and hexadecimal sequences.
    /// - Throws: ``PlaylistError`` if the list is malformed.
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
                    throw PlaylistError(.badLine, line: line, "the quoted string of \(name) has no closing quote")
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

    /// Returns true if the value of an attribute may be a hexadecimal sequence.
    private static func isHexadecimal(_ name: String) -> Bool {
        name == "IV" || name.hasPrefix("X-") || name.hasPrefix("SCTE35-")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Returns the value of a quoted string; nil if it is absent.
    func string(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard value.isQuoted else { throw bad(name, "a quoted string") }
        return value.text
    }

    /// Returns the value of a required quoted string.
    func requiredString(_ name: String) throws(PlaylistError) -> String {
        guard let value = try string(name) else { throw missing(name) }
        return value
    }

    /// Returns the value of an enumerated string or similar; nil if it is absent.
    func word(_ name: String) -> String? { values[name]?.text }

    func flag(_ name: String) -> Bool { values[name]?.text == "YES" }

    /// Returns the value of a whole number; nil if it is absent.
    func integer(_ name: String) throws(PlaylistError) -> Int? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.integer(value.text[...]) else {
            throw bad(name, "a whole number")
        }
        return number
    }

    /// Returns the value of a signed decimal number; nil if it is absent.
    func decimal(_ name: String) throws(PlaylistError) -> Rational? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.signedDecimal(value.text[...]) else {
            throw bad(name, "a decimal number")
        }
        return number
    }

    /// Returns the value of a nonnegative decimal number; nil if it is absent.
    func length(_ name: String) throws(PlaylistError) -> Rational? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = PlaylistNumber.decimal(value.text[...], most: PlaylistNumber.mostSeconds)
        else { throw bad(name, "a decimal number of zero or more") }
        return number
    }

    /// Returns the value of a hexadecimal sequence as written; nil if it is absent.
    func hexadecimal(_ name: String) throws(PlaylistError) -> String? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, PlaylistNumber.isHexadecimal(value.text) else {
            throw bad(name, "a hexadecimal sequence")
        }
        return value.text
    }

    /// Returns the trimmed items of a quoted comma-separated list; empty if it is absent.
    func strings(_ name: String) throws(PlaylistError) -> [String] {
        try (string(name) ?? "").split(separator: ",").map { member in
            String(member.drop { $0 == " " }.prefix { $0 != " " })
        }
    }

    /// Returns true if an unknown `REQ-` attribute makes the tag ignorable (rfc8216bis, 6.3.1).
    func demandsMore(than known: String?) -> Bool {
        values.all.contains { $0.name.hasPrefix("REQ-") && $0.name != known }
    }

    /// Returns the value of a size such as `1280x720`; nil if it is absent.
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
