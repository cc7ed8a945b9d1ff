extension Playlist {
    /// Parses a playlist of either kind.
    ///
    /// The parser ignores unknown tags, attributes, and comments (RFC 8216, 6.3.1), and rejects all other violations of
    /// the grammar.
    ///
    /// - Parameters:
    ///   - text: The text of the playlist, with any line breaks.
    ///   - url: The URL of the playlist, for variables from its query.
    ///   - imports: The variables of the multivariant playlist that names it.
    ///   - limits: The size limits; a larger playlist is an error.
    /// - Returns: The parsed playlist.
    /// - Throws: ``PlaylistError`` with the line and the reason.
    public static func parse(
        _ text: String,
        from url: String? = nil,
        importing imports: [String: String] = [:],
        limits: PlaylistLimits = PlaylistLimits()
    ) throws(PlaylistError) -> Playlist {
        var lines = try PlaylistLines(text, limits: limits)
        guard let first = lines.next(), first.text == "#EXTM3U" || first.text.hasPrefix("#EXTM3U ") else {
            throw PlaylistError(.notAPlaylist, line: 1, "not a playlist: the first line is not #EXTM3U")
        }
        var reader = PlaylistReader(url: url, imports: imports, limits: limits)
        while let line = lines.next() {
            if line.text.isEmpty { continue }
            guard line.text.utf8.count <= limits.lineBytes else {
                throw PlaylistError(.tooLarge, line: line.number, "the line is longer than \(limits.lineBytes) bytes")
            }
            guard line.text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw PlaylistError(.badText, line: line.number, "the line has control characters (RFC 8216, 4.1)")
            }
            if line.text.hasPrefix("#EXT") {
                try reader.read(PlaylistTag(line))
            } else if !line.text.hasPrefix("#") {
                try reader.readURI(line)
            }
        }
        return try reader.finish()
    }

    /// Parses a playlist of either kind from the bytes of a response.
    ///
    /// - Parameters:
    ///   - bytes: The bytes after content decoding.
    ///   - url: The URL of the playlist, for variables from its query.
    ///   - imports: The variables of the multivariant playlist that names it.
    ///   - limits: The size limits; a larger playlist is an error.
    /// - Returns: The parsed playlist.
    /// - Throws: ``PlaylistError``, also for invalid UTF-8.
    public static func parse(
        _ bytes: [UInt8],
        from url: String? = nil,
        importing imports: [String: String] = [:],
        limits: PlaylistLimits = PlaylistLimits()
    ) throws(PlaylistError) -> Playlist {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let isPlaylist = bytes.starts(with: Array("#EXTM3U".utf8))
            let message = isPlaylist ? "the playlist is not UTF-8" : "not a playlist: the first line is not #EXTM3U"
            throw PlaylistError(isPlaylist ? .badText : .notAPlaylist, line: nil, message)
        }
        return try parse(text, from: url, importing: imports, limits: limits)
    }
}

/// A line with its number, from 1.
struct PlaylistLine {
    let number: Int
    let text: Substring
}

/// A tag with the text after its colon.
struct PlaylistTag {
    let name: Substring
    let value: Substring
    let line: Int

    init(_ line: PlaylistLine) {
        let bytes = line.text.utf8
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        name = Substring(bytes[..<colon])
        value = Substring(bytes[colon...].dropFirst())
        self.line = line.number
    }

    /// Returns the value as a whole number.
    func integer() throws(PlaylistError) -> Int {
        guard let number = PlaylistNumber.integer(value) else {
            throw PlaylistError(
                .badLine,
                line: line,
                "\(name) is not a whole number: \(value.prefix(40).debugDescription)"
            )
        }
        return number
    }

    /// Returns the value as an attribute list; nil if an unknown requirement makes the tag ignorable (rfc8216bis,
    /// 6.3.1).
    ///
    /// - Parameters:
    ///   - variables: The values of `{$name}`.
    ///   - requirement: The known attribute with the prefix `REQ-`.
    /// - Returns: The list, or nil.
    /// - Throws: ``PlaylistError`` if the list is malformed.
    func attributes(
        _ variables: inout PlaylistVariables,
        knowing requirement: String? = nil
    ) throws(PlaylistError) -> AttributeList? {
        let attributes = try AttributeList(value, of: String(name), line: line, variables: &variables)
        return attributes.demandsMore(than: requirement) ? nil : attributes
    }

    /// The error for a repeated tag.
    var repeated: PlaylistError { PlaylistError(.repeated, line: line, "\(name) is repeated") }
}

/// The lines of a text, without LF, CR LF, and trailing white space.
private struct PlaylistLines {
    private var rest: Substring.UTF8View
    private var number = 0

    init(_ text: String, limits: PlaylistLimits) throws(PlaylistError) {
        guard text.utf8.count <= limits.bytes else {
            throw PlaylistError(.tooLarge, line: nil, "the playlist is larger than \(limits.bytes) bytes")
        }
        guard text.unicodeScalars.first != "\u{FEFF}" else {
            throw PlaylistError(.badText, line: 1, "the playlist begins with a byte order mark (RFC 8216, 4.1)")
        }
        rest = text[...].utf8
    }

    mutating func next() -> PlaylistLine? {
        guard !rest.isEmpty else { return nil }
        number += 1
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        var line = rest[..<end]
        rest = rest[end...].dropFirst()
        while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 { line = line.dropLast() }
        return PlaylistLine(number: number, text: Substring(line))
    }
}
