internal import SegueBase

extension PlaylistVariables {
    /// Handles an `EXT-X-DEFINE`, which has exactly one of `NAME`, `IMPORT`, and `QUERYPARAM` (rfc8216bis, 4.4.2.3).
    ///
    /// - Parameters:
    ///   - url: The URL of the playlist.
    ///   - imports: The variables of the multivariant playlist that names it.
    /// - Returns: True if it imported a variable.
    /// - Throws: ``PlaylistError`` if the tag is malformed or the value is not available.
    mutating func read(_ tag: PlaylistTag, url: String?, imports: [String: String]) throws(PlaylistError) -> Bool {
        guard let attributes = try tag.attributes(&self) else { return false }
        let own = try attributes.string("NAME")
        let imported = try attributes.string("IMPORT")
        let parameter = try attributes.string("QUERYPARAM")
        let names = [own, imported, parameter].compactMap { $0 }
        guard let name = names.first else { throw attributes.missing("NAME, IMPORT or QUERYPARAM") }
        guard names.count == 1 else {
            throw PlaylistError(
                .badLine,
                line: tag.line,
                "\(tag.name) has more than one of NAME, IMPORT and QUERYPARAM"
            )
        }
        guard PlaylistVariables.isName(name) else {
            throw PlaylistError(.badLine, line: tag.line, "\(name.debugDescription) cannot name a variable")
        }
        if own != nil {
            try define(name, as: attributes.requiredString("VALUE"), line: tag.line)
        } else if imported != nil {
            guard let value = imports[name] else {
                throw PlaylistError(.undefinedVariable, line: tag.line, "the variable \(name) cannot be imported")
            }
            try define(name, as: value, line: tag.line)
        } else {
            try define(name, as: queried(name, of: url, line: tag.line), line: tag.line)
        }
        return imported != nil
    }

    /// Returns the percent-decoded value of a query parameter of the playlist's URL.
    private mutating func queried(_ name: String, of url: String?, line: Int) throws(PlaylistError) -> String {
        let parameters = query ?? url.map(URIReference.queryParameters) ?? [:]
        query = parameters
        guard let coded = parameters[name] ?? nil else {
            throw PlaylistError(.undefinedVariable, line: line, "the URL has no query parameter \(name) with a value")
        }
        guard let bytes = PercentCoding.decode(coded.utf8, plusIsSpace: false),
            let value = String(validating: bytes, as: UTF8.self),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") })
        else {
            throw PlaylistError(
                .badLine,
                line: line,
                "the URL's query parameter \(name) contains a quote, a line break, or invalid UTF-8"
            )
        }
        return value
    }
}
