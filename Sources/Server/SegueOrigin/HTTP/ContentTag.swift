/// A strong entity tag made from a body's bytes: the same bytes, the same tag, on every server.
enum ContentTag {
    /// The tag, with its quotes.
    static func of(_ bytes: [UInt8]) -> String { "\"\(StableHash.hex(bytes))\"" }

    /// Whether an `If-None-Match` value names the tag; weak tags compare like strong ones there (RFC 9110, 13.1.2).
    static func list(_ value: String, names tag: String) -> Bool {
        HTTPList.elements(Substring(value)).contains { candidate in
            candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == tag
        }
    }

    /// Whether an `If-Match` value names the tag; a weak one never is the same there (RFC 9110, 13.1.1).
    static func list(_ value: String, namesStrongly tag: String) -> Bool {
        HTTPList.elements(Substring(value)).contains { $0 == "*" || $0 == tag }
    }
}
