internal import SegueBase

extension Playlist {
    /// The text of the playlist.
    public var text: String {
        switch self {
        case .media(let playlist): playlist.text
        case .multivariant(let playlist): playlist.text
        }
    }
}

extension PlaylistStart {
    var line: String {
        let offset = DecimalText.fixed(units: timeOffset.rounded(scale: 1_000_000), places: 6)
        return "#EXT-X-START:TIME-OFFSET=\(offset)" + (isPrecise ? ",PRECISE=YES" : "")
    }
}

extension MediaMap {
    var line: String {
        let range = byteRange.map { ",BYTERANGE=\"\($0.length)@\($0.offset)\"" } ?? ""
        return "#EXT-X-MAP:URI=\(quoted(uri))" + range
    }
}

extension MediaKey {
    var line: String { "#EXT-X-KEY:" + attributes }

    /// The attributes of `EXT-X-KEY` and `EXT-X-SESSION-KEY`.
    var attributes: String {
        var attributes = ["METHOD=\(method)", "URI=\(quoted(uri))"]
        if let initializationVector { attributes.append("IV=\(initializationVector)") }
        if keyFormat != "identity" { attributes.append("KEYFORMAT=\(quoted(keyFormat))") }
        if let keyFormatVersions { attributes.append("KEYFORMATVERSIONS=\(quoted(keyFormatVersions))") }
        return attributes.joined(separator: ",")
    }
}

/// Returns a quoted string; forbidden characters are replaced (RFC 8216, 4.2).
func quoted(_ text: String) -> String {
    "\"" + String(text.onOneLine.map { $0 == "\"" ? "'" : $0 }) + "\""
}

extension String {
    /// The text with spaces in place of control characters, which playlists must not contain (RFC 8216, 4.1).
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isForbidden) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isForbidden ? " " : scalar) }
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// True for U+0000 to U+001F and U+007F to U+009F, which playlists must not contain.
    fileprivate var isForbidden: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension PlaylistNumber {
    /// The number with up to nine decimals.
    static func text(_ number: Rational) -> String {
        DecimalText.short(units: number.rounded(scale: 1_000_000_000), places: 9)
    }
}
