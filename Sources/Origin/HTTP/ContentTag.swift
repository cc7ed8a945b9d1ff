/// A strong entity tag made from a body's bytes: the same bytes, the same tag, on every server.
enum ContentTag {
    /// The tag, with its quotes.
    static func of(_ bytes: [UInt8]) -> String { "\"\(StableHash.hex(bytes))\"" }

    /// Whether an `If-None-Match` value names the tag; weak tags compare like strong ones there (RFC 9110, 13.1.2).
    static func list(_ value: String, names tag: String) -> Bool {
        value.split(separator: ",").contains { candidate in
            var candidate = candidate.drop { $0 == " " || $0 == "\t" }
            while let last = candidate.last, last == " " || last == "\t" { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == "*" || candidate == tag
        }
    }
}
