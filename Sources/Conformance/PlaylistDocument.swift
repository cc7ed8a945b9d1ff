package import HLS

/// A playlist as it came: its bytes, its lines, and what the parser makes of them.
package struct PlaylistDocument: Sendable {
    /// A line that is not empty.
    package struct Line: Sendable {
        /// Its number, from 1.
        package let number: Int
        /// Its text without the line's end.
        package let text: String

        /// The tag's name with its `#`; nil for a URI or a comment.
        package var tag: String? {
            guard text.hasPrefix("#EXT") else { return nil }
            return String(text.prefix { $0 != ":" })
        }

        /// What stands after the tag's colon.
        package var value: String { String(text.drop { $0 != ":" }.dropFirst()) }

        /// Whether it is a URI.
        package var isURI: Bool { !text.hasPrefix("#") }
    }

    /// Where it came from.
    package var url: String

    /// Its bytes, decoded where HTTP encoded them.
    package var bytes: [UInt8]

    /// How HTTP answered; nil for a file.
    package var http: HTTPFacts?

    /// Whether a second fetch gave the same bytes; nil when there was none.
    package var isSameAgain: Bool?

    /// Its lines that are not empty.
    package let lines: [Line]

    /// The numbers of the lines with URIs.
    let uriLines: [Int]

    /// What the parser makes of it; nil when it refuses.
    package let playlist: Playlist?

    /// Why the parser refuses it.
    package let refusal: PlaylistError?

    /// A playlist.
    package init(url: String, bytes: [UInt8], http: HTTPFacts? = nil, isSameAgain: Bool? = nil) {
        (self.url, self.bytes, self.http, self.isSameAgain) = (url, bytes, http, isSameAgain)
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = String(decoding: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
        lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap {
            index,
            line in
            let kept = line.last == 0x0D ? line.dropLast() : line
            return kept.isEmpty ? nil : Line(number: index + 1, text: String(Substring(kept)))
        }
        uriLines = lines.filter(\.isURI).map(\.number)
        do throws(PlaylistError) {
            playlist = try Playlist.parse(bytes, from: url)
            refusal = nil
        } catch {
            playlist = nil
            refusal = error
        }
    }

    /// The media playlist that it is; nil when it is another or refused.
    package var media: MediaPlaylist? {
        if case .media(let media) = playlist { media } else { nil }
    }

    /// The multivariant playlist that it is; nil when it is another or refused.
    package var multivariant: MultivariantPlaylist? {
        if case .multivariant(let multivariant) = playlist { multivariant } else { nil }
    }

    /// Whether it names variants, though a parser may refuse it.
    package var namesVariants: Bool { !tags("#EXT-X-STREAM-INF").isEmpty }

    /// The lines with a tag.
    func tags(_ name: String) -> [Line] { lines.filter { $0.tag == name } }

    func place(line: Int? = nil, segment: Int? = nil) -> Place { Place(url: url, line: line, segment: segment) }

    /// The place of a segment: its URI's line.
    func place(ofSegment number: Int) -> Place {
        let lines = uriLines
        return place(line: number < lines.count ? lines[number] : nil, segment: number)
    }
}

/// The attributes of a line, read without a parser's strictness.
struct RawAttributes {
    private(set) var values: [(name: String, value: String, isQuoted: Bool)] = []
    /// What is wrong with the list's form; nil when nothing is.
    private(set) var problem: String?

    init(_ text: String) {
        var rest = text[...]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: "=") else {
                problem = "an attribute has no value"
                return
            }
            let name = String(rest[..<equals])
            guard !name.isEmpty, name.utf8.allSatisfy({ 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }) else {
                problem = "\(name.debugDescription) is no attribute name"
                return
            }
            rest = rest[equals...].dropFirst()
            let isQuoted = rest.first == "\""
            if isQuoted {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else {
                    problem = "the quoted string of \(name) does not end"
                    return
                }
                values.append((name, String(rest[..<end]), true))
                rest = rest[end...].dropFirst()
            } else {
                let value = rest.prefix { $0 != "," }
                if value.isEmpty || value.contains(where: { $0 == "\"" || $0 == " " }) {
                    problem = "the value of \(name) is \(String(value).debugDescription)"
                }
                values.append((name, String(value), false))
                rest = rest[value.endIndex...]
            }
            guard !rest.isEmpty else { return }
            guard rest.first == ",", rest.count > 1 else {
                problem = "no attribute follows \(name) after a comma"
                return
            }
            rest = rest.dropFirst()
        }
    }

    subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }
}
