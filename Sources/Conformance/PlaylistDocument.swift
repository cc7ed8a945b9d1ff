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
        package let tag: String?
        /// What stands after the tag's colon, or the URI, with variables put in.
        package fileprivate(set) var value: String

        init(number: Int, text: String) {
            (self.number, self.text) = (number, text)
            // White space at the ends is found by a rule of its own, and hides nothing else.
            var content = text.utf8[...]
            while let first = content.first, first == 0x20 || first == 0x09 { content = content.dropFirst() }
            while let last = content.last, last == 0x20 || last == 0x09 { content = content.dropLast() }
            let colon = content.firstIndex(of: UInt8(ascii: ":")) ?? content.endIndex
            isURI = !content.isEmpty && content.first != UInt8(ascii: "#")
            tag = content.starts(with: "#EXT".utf8) ? String(Substring(content[..<colon])) : nil
            value = String(Substring(isURI ? content : content[colon...].dropFirst()))
        }

        /// Whether it is a URI.
        package let isURI: Bool
    }

    /// Where it came from.
    package var url: String

    /// Its bytes, decoded where HTTP encoded them.
    package var bytes: [UInt8]

    /// How HTTP answered; nil for a file.
    package var http: HTTPFacts?

    /// Whether a second fetch gave the same bytes; nil when there was none.
    package var isSameAgain: Bool?

    /// Why there is none at all; nil when there is.
    package let absence: String?

    /// Its lines that are not empty.
    package let lines: [Line]

    /// What is wrong with its variables.
    let variableTroubles: [VariableTrouble]

    /// The numbers of the lines with URIs.
    let uriLines: [Int]

    /// What the parser makes of it; nil when it refuses.
    package let playlist: Playlist?

    /// Why the parser refuses it.
    package let refusal: PlaylistError?

    private let linesByTag: [String: [Line]]
    /// The same for tags of attributes, each read once, since many rules look at them.
    private let listsByTag: [String: [(line: Line, list: RawAttributes)]]

    /// A playlist.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - bytes: Its bytes, decoded where HTTP encoded them.
    ///   - http: How HTTP answered; nil for a file.
    ///   - isSameAgain: Whether a second fetch gave the same bytes.
    ///   - imports: The variables of the multivariant playlist that led here; nil where none did.
    ///   - absence: Why there is none at all.
    package init(
        url: String,
        bytes: [UInt8],
        http: HTTPFacts? = nil,
        isSameAgain: Bool? = nil,
        importing imports: [String: String]? = nil,
        absence: String? = nil
    ) {
        (self.url, self.bytes, self.http, self.isSameAgain) = (url, bytes, http, isSameAgain)
        self.absence = absence
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = String(decoding: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap {
            index,
            line in
            let kept = line.last == 0x0D ? line.dropLast() : line
            return kept.isEmpty ? nil : Line(number: index + 1, text: String(Substring(kept)))
        }
        var variables = DocumentVariables(url: url, isFile: http == nil, imports: imports)
        for index in lines.indices where lines[index].tag != nil || lines[index].isURI {
            if let value = variables.value(of: lines[index]) { lines[index].value = value }
        }
        self.lines = lines
        linesByTag = Dictionary(grouping: lines.filter { $0.tag != nil }) { $0.tag ?? "" }
        listsByTag = linesByTag.filter { PlaylistGrammar.tags[$0.key] != nil }
            .mapValues { $0.map { ($0, RawAttributes($0.value)) } }
        variableTroubles = variables.troubles
        uriLines = lines.filter(\.isURI).map(\.number)
        do throws(PlaylistError) {
            // What only another playlist or a query would tell stands for itself where a playlist is judged alone.
            playlist = try Playlist.parse(bytes, from: url + variables.assumedQuery, importing: variables.imports)
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
    func tags(_ name: String) -> [Line] { linesByTag[name] ?? [] }

    /// Whether a tag is there.
    func has(_ name: String) -> Bool { linesByTag[name] != nil }

    /// The lines with a tag of attributes, with these.
    func lists(_ name: String) -> [(line: Line, list: RawAttributes)] {
        listsByTag[name] ?? tags(name).map { ($0, RawAttributes($0.value)) }
    }

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
            // White space has a rule of its own.
            var named = rest[..<equals].drop { $0 == " " }
            while named.last == " " { named = named.dropLast() }
            let name = String(named)
            guard !name.isEmpty, name.utf8.allSatisfy({ 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }) else {
                problem = "\(name.debugDescription) is no attribute name"
                return
            }
            rest = rest[equals...].dropFirst().drop { $0 == " " }
            let isQuoted = rest.first == "\""
            if isQuoted {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else {
                    problem = "the quoted string of \(name) does not end"
                    return
                }
                values.append((name, String(rest[..<end]), true))
                rest = rest[end...].dropFirst().drop { $0 == " " }
            } else {
                let value = rest.prefix { $0 != "," }
                var kept = value
                while kept.last == " " { kept = kept.dropLast() }
                if kept.isEmpty || kept.contains(where: { $0 == "\"" || $0 == " " }) {
                    problem = "the value of \(name) is \(String(value).debugDescription)"
                }
                values.append((name, String(kept), false))
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

    /// The value of a number.
    func number(_ name: String) -> Double? { self[name].flatMap(Double.init) }
}
