/// A strong entity tag, computed from a body's bytes, so that all servers have the same tag.
enum ContentTag {
    /// The tag with its quotes.
    static func of(_ bytes: [UInt8]) -> String { "\"\(StableHash.hex(bytes))\"" }

    /// Returns true if an `If-None-Match` value contains the tag; weak tags match, too (RFC 9110, section 13.1.2).
    static func list(_ value: String, names tag: String) -> Bool {
        HTTPList.elements(Substring(value)).contains { candidate in
            candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == tag
        }
    }

    /// Returns true if an `If-Match` value contains the tag; weak tags never match (RFC 9110, section 13.1.1).
    static func list(_ value: String, namesStrongly tag: String) -> Bool {
        HTTPList.elements(Substring(value)).contains { $0 == "*" || $0 == tag }
    }
}
