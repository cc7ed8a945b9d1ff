extension Playlist {
    /// Reads a playlist of either kind from text.
    ///
    /// Unknown tags, attributes and comments are ignored (RFC 8216, 6.3.1); anything else that does not follow the
    /// grammar is refused.
    ///
    /// - Parameters:
    ///   - text: The playlist.
    ///   - url: Where it came from, for variables that its query defines.
    ///   - imports: The variables of the multivariant playlist that it was found in.
    ///   - limits: What it may be at most.
    /// - Returns: The playlist.
    /// - Throws: ``PlaylistError`` with the line and what is wrong in it.
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

    /// Reads a playlist of either kind from the bytes of a response.
    ///
    /// - Parameters:
    ///   - bytes: The playlist, decoded where HTTP encoded it.
    ///   - url: Where it came from, for variables that its query defines.
    ///   - imports: The variables of the multivariant playlist that it was found in.
    ///   - limits: What it may be at most.
    /// - Returns: The playlist.
    /// - Throws: ``PlaylistError`` also when the bytes are not UTF-8.
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

/// A tag with what stands after its colon.
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

    /// The value as a whole number.
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

    /// The value as an attribute list; nil where it has an attribute that has the tag ignored (RFC 8216bis, 6.3.1).
    ///
    /// - Parameters:
    ///   - variables: What `{$name}` stands for.
    ///   - requirement: The attribute that begins with `REQ-` and is known.
    /// - Returns: The list, or nil.
    /// - Throws: ``PlaylistError`` when it does not follow the grammar.
    func attributes(
        _ variables: inout PlaylistVariables,
        knowing requirement: String? = nil
    ) throws(PlaylistError) -> AttributeList? {
        let attributes = try AttributeList(value, of: String(name), line: line, variables: &variables)
        return attributes.demandsMore(than: requirement) ? nil : attributes
    }

    /// What is wrong where it may be there only once.
    var repeated: PlaylistError { PlaylistError(.repeated, line: line, "\(name) is there twice") }
}

/// A text's lines, ended by LF or CRLF, without white space at their ends.
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
