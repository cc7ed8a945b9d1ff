/// The values of variables `{$name}` (rfc8216bis, 4.3).
struct PlaylistVariables {
    private(set) var values: [String: String] = [:]
    private let limits: PlaylistLimits

    /// The number of substituted bytes so far.
    private var written = 0

    /// The query parameters of the playlist's URL, parsed on first use.
    var query: [String: String?]?

    init(limits: PlaylistLimits) { self.limits = limits }

    /// Defines a variable once.
    mutating func define(_ name: String, as value: String, line: Int) throws(PlaylistError) {
        guard values.updateValue(value, forKey: name) == nil else {
            throw PlaylistError(.repeated, line: line, "the variable \(name) is defined twice")
        }
    }

    /// Returns the text with variables substituted.
    ///
    /// - Throws: ``PlaylistError`` for an undefined variable, or if the line or the playlist exceeds its limit.
    mutating func put(into text: Substring, line: Int) throws(PlaylistError) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return String(text) }
        var result = ""
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += Substring(rest[..<open])
            rest = rest[open...]
            let named = rest.dropFirst(2).prefix(while: PlaylistVariables.isNameByte)
            guard rest.dropFirst().first == UInt8(ascii: "$"), !named.isEmpty,
                case let close = named.endIndex, close < rest.endIndex, rest[close] == UInt8(ascii: "}"),
                case let name = String(Substring(named))
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

    /// Returns true for a valid variable name.
    static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isNameByte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
