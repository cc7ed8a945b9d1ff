internal import SegueBase
internal import SeguePlaylists

/// A problem with a variable or its definition.
struct VariableTrouble: Sendable {
    enum Kind {
        /// A malformed definition.
        case form
        /// A repeated definition.
        case again
        /// A use without a definition.
        case undefined
        /// An import that the multivariant playlist does not define.
        case missingImport
        /// A query parameter that the URL does not have.
        case missingQuery
        /// A query parameter with characters that quoted strings do not allow.
        case badQuery
        /// An unknown value, since the playlist is validated without its source.
        case alone
    }

    let kind: Kind
    let line: Int
    let message: Message
}

/// The variables of a playlist (rfc8216bis, 4.3), read line by line and leniently.
struct DocumentVariables {
    /// The limit of substituted text, far beyond any real use.
    private static let substitutionLimit = 1 << 20

    private(set) var troubles: [VariableTrouble] = []
    /// The variables that can be imported; unknown ones have their name as value.
    private(set) var imports: [String: String]
    /// The assumed query parameters that the URL lacks, with their `?` or `&`.
    private(set) var assumedQuery = ""

    private var values: [String: String] = [:]
    private var written = 0
    /// The query parameters of the URL, parsed on first use.
    private var query: [String: String?]?
    private let url: String
    private let isFile: Bool
    private let isAlone: Bool

    init(url: String, isFile: Bool, imports: [String: String]?) {
        (self.url, self.isFile, self.isAlone, self.imports) = (url, isFile, imports == nil, imports ?? [:])
    }

    /// Returns the value of a tag or a URI with variables substituted; nil if the line has none.
    mutating func value(of line: PlaylistDocument.Line) -> String? {
        let text = line.value
        let mayHave = line.isURI || line.isListed
        let filled = mayHave && text.utf8.contains(UInt8(ascii: "$")) ? filled(text, line) : nil
        if line.tag == "#EXT-X-DEFINE", let list = filled.map(RawAttributes.init) ?? line.list { define(list, line) }
        return filled
    }

    private mutating func filled(_ text: String, _ line: PlaylistDocument.Line) -> String {
        var result = ""
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let inner = rest[open...].dropFirst()
            result += Substring(rest[..<open])
            guard inner.first == UInt8(ascii: "$"), let close = inner.firstIndex(of: UInt8(ascii: "}")) else {
                result += "{"
                rest = inner
                continue
            }
            let name = String(Substring(inner.dropFirst()[..<close]))
            if !Self.isName(name) || written > Self.substitutionLimit {
                result += Substring(rest[open...close])
            } else if let value = values[name] {
                result += value
                written += value.utf8.count
            } else {
                trouble(.undefined, at: line, "the variable \(name) is not defined before this line")
            }
            rest = rest[close...].dropFirst()
        }
        return result + Substring(rest)
    }

    private mutating func trouble(_ kind: VariableTrouble.Kind, at line: PlaylistDocument.Line, _ message: Message) {
        troubles.append(VariableTrouble(kind: kind, line: line.number, message: message))
    }

    static func isName(_ name: String) -> Bool { name.isAll(of: .names) }

    private mutating func define(_ list: RawAttributes, _ line: PlaylistDocument.Line) {
        let kinds = ["NAME", "IMPORT", "QUERYPARAM"].filter { list[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let name = list[kind] else {
            return trouble(
                .form,
                at: line,
                kinds.isEmpty
                    ? "NAME, IMPORT, and QUERYPARAM are missing"
                    : "\(kinds.joined(separator: " and ")) occur together"
            )
        }
        guard Self.isName(name) else {
            return trouble(.form, at: line, "\(name.prefix(40).debugDescription) is not a variable name")
        }
        guard values[name] == nil else { return trouble(.again, at: line, "the variable \(name) is already defined") }
        switch kind {
        case "NAME":
            if list["VALUE"] == nil { trouble(.form, at: line, "VALUE is missing for the variable \(name)") }
            values[name] = list["VALUE"] ?? ""
        case "IMPORT": values[name] = imported(name, line)
        default: values[name] = queried(name, line)
        }
    }

    private mutating func imported(_ name: String, _ line: PlaylistDocument.Line) -> String {
        if let value = imports[name] { return value }
        if isAlone {
            imports[name] = name
            trouble(
                .alone,
                at: line,
                "the variable \(name) comes from the multivariant playlist, which is not part of this validation"
            )
        } else {
            trouble(.missingImport, at: line, "the multivariant playlist has no variable \(name)")
        }
        return name
    }

    private mutating func queried(_ name: String, _ line: PlaylistDocument.Line) -> String {
        let parameters = query ?? URIReference.queryParameters(of: url)
        query = parameters
        guard let value = parameters[name] ?? nil, !value.isEmpty else {
            if isFile {
                assumedQuery += (url.contains("?") || !assumedQuery.isEmpty ? "&" : "?") + "\(name)=\(name)"
                trouble(
                    .alone,
                    at: line,
                    "the variable \(name) comes from the query of the URL, which a file does not have"
                )
            } else {
                trouble(.missingQuery, at: line, "the URL has no query parameter \(name) with a value")
            }
            return name
        }
        let decoded = Self.decoded(value)
        if decoded.unicodeScalars.contains(where: { [0x0A, 0x0D, 0x22].contains($0.value) }) {
            trouble(
                .badQuery,
                at: line,
                "the query parameter \(name) is \(decoded.prefix(40).debugDescription), which contains a quote or a line break"
            )
        }
        return decoded
    }

    /// Decodes percent-encoded characters (RFC 3986, section 2.1).
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), rest.count > 2,
                let code = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
