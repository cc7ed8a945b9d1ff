internal import Timeline

/// An attribute list (RFC 8216, 4.2): names with values, each name once.
struct AttributeList {
    /// A value with how it was written.
    struct Value {
        let text: String
        let isQuoted: Bool
    }

    private let values: [String: Value]
    private let tag: String
    private let line: Int

    /// Reads an attribute list.
    ///
    /// - Parameters:
    ///   - text: What stands after the tag's colon.
    ///   - tag: The tag, for errors.
    ///   - line: The line's number, for errors.
    ///   - variables: What `{$name}` stands for in quoted strings.
    /// - Throws: ``PlaylistError`` when it does not follow the grammar.
    init(
        _ text: Substring,
        of tag: String,
        line: Int,
        variables: inout PlaylistVariables
    ) throws(PlaylistError) {
        var values: [String: Value] = [:]
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
                value = Value(text: String(Substring(rest[..<end])), isQuoted: false)
                rest = rest[end...]
            }
            guard values.updateValue(value, forKey: name) == nil else {
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

/// Numbers as playlists write them, exact and bounded.
enum PlaylistNumber {
    /// A whole number from 0 to 2^53.
    static func integer(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 16, text.utf8.allSatisfy(isDigit), let number = Int(text),
            number <= 1 << 53
        else { return nil }
        return number
    }

    /// A decimal number from 0 to ten million, exact to nine places.
    static func decimal(_ text: Substring) -> Rational? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : Substring("").utf8
        guard let first = parts.first, !first.isEmpty || !fraction.isEmpty, first.count <= 8,
            first.allSatisfy(isDigit), fraction.allSatisfy(isDigit)
        else { return nil }
        let whole = first.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        guard whole <= 10_000_000 else { return nil }
        var (numerator, denominator) = (whole, Int64(1))
        for digit in fraction.prefix(9) {
            numerator = numerator * 10 + Int64(digit - UInt8(ascii: "0"))
            denominator *= 10
        }
        return Rational(numerator, denominator)
    }

    /// A decimal number that may have a sign.
    static func signedDecimal(_ text: Substring) -> Rational? {
        text.hasPrefix("-") ? decimal(text.dropFirst()).map { -$0 } : decimal(text)
    }

    /// A length and perhaps an offset, such as `1000@200`.
    static func byteRange(_ text: Substring) -> (length: Int64, offset: Int64?)? {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let length = integer(first), length > 0 else { return nil }
        guard parts.count == 2 else { return (Int64(length), nil) }
        return integer(parts[1]).map { (Int64(length), Int64($0)) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// What `{$name}` stands for (RFC 8216bis, 4.3).
struct PlaylistVariables {
    private(set) var values: [String: String] = [:]
    private let limits: PlaylistLimits

    /// How many bytes values took so far, wherever they were put.
    private var written = 0

    init(limits: PlaylistLimits) { self.limits = limits }

    /// Defines a variable, once.
    mutating func define(_ name: String, as value: String, line: Int) throws(PlaylistError) {
        guard values.updateValue(value, forKey: name) == nil else {
            throw PlaylistError(.repeated, line: line, "the variable \(name) is defined twice")
        }
    }

    /// The text with variables replaced by their values.
    ///
    /// - Throws: ``PlaylistError`` for a variable that is not defined, and where the line, or the playlist with all that
    ///   was put into it, becomes larger than it may be.
    mutating func put(into text: Substring, line: Int) throws(PlaylistError) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return String(text) }
        var result = ""
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += Substring(rest[..<open])
            rest = rest[open...]
            guard rest.dropFirst().first == UInt8(ascii: "$"), let close = rest.firstIndex(of: UInt8(ascii: "}")),
                case let name = String(Substring(rest[rest.index(open, offsetBy: 2)..<close])),
                !name.isEmpty, name.utf8.allSatisfy(PlaylistVariables.isNameByte)
            else {
                result += "{"
                rest = rest.dropFirst()
                continue
            }
            guard let value = values[name] else {
                throw PlaylistError(.undefinedVariable, line: line, "the variable \(name) is not defined")
            }
            result += value
            rest = rest[rest.index(after: close)...]
            guard result.utf8.count <= limits.lineBytes else {
                throw PlaylistError(.tooLarge, line: line, "the line is longer than \(limits.lineBytes) bytes")
            }
            written += value.utf8.count
            guard written <= limits.bytes else {
                throw PlaylistError(.tooLarge, line: line, "the variables take more than \(limits.bytes) bytes")
            }
        }
        return result + Substring(rest)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
