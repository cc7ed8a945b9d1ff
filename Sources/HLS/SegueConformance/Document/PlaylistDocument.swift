package import SeguePlaylists

/// A playlist as it came: its bytes, its lines, and what the parser makes of them.
package struct PlaylistDocument: Sendable {
    /// A line that is not empty.
    package final class Line: Sendable {
        /// Its number, from 1.
        package let number: Int
        /// Its text without the line's end.
        package let text: String
        /// The tag's name with its `#`; nil for a URI or a comment.
        package let tag: String?
        /// What stands after the tag's colon, or the URI, with variables put in.
        package let value: String
        /// Whether it is a URI.
        package let isURI: Bool
        /// Its attributes; nil where its tag has none.
        let list: RawAttributes?

        /// What its text has that few lines have.
        let traits: LineTraits

        /// Whether its tag has attributes.
        var isListed: Bool { list != nil }

        init(number: Int, text: String) {
            (self.number, self.text, traits) = (number, text, LineTraits(of: text[...].utf8))
            // White space at the ends is found by a rule of its own, and hides nothing else.
            var content = text.utf8[...]
            while let first = content.first, first == 0x20 || first == 0x09 { content = content.dropFirst() }
            while let last = content.last, last == 0x20 || last == 0x09 { content = content.dropLast() }
            let isURI = !content.isEmpty && content.first != UInt8(ascii: "#")
            let isTag = content.starts(with: "#EXT".utf8)
            let colon = isURI ? content.endIndex : content.firstIndex(of: UInt8(ascii: ":")) ?? content.endIndex
            let tag = isTag ? String(Substring(content[..<colon])) : nil
            let value = String(Substring(isURI ? content : content[colon...].dropFirst()))
            (self.isURI, self.tag, self.value) = (isURI, tag, value)
            list = tag.flatMap { PlaylistGrammar.tags[$0] } == nil ? nil : RawAttributes(value)
        }

        /// The same line with variables put in.
        fileprivate init(_ line: Line, value: String) {
            (number, text, tag, self.value, isURI) = (line.number, line.text, line.tag, value, line.isURI)
            traits = line.traits
            list = line.isListed ? RawAttributes(value) : nil
        }
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

    /// The lines with URIs.
    let uriLines: [Line]

    /// What the parser makes of it; nil when it refuses.
    package let playlist: Playlist?

    /// Why the parser refuses it.
    package let refusal: PlaylistError?

    /// The lines with attributes.
    let listed: [Line]
    /// What any line has that few have.
    let traits: LineTraits
    private let linesByTag: [String: [Line]]
    /// The same for tags of attributes, each read once, since many rules look at them.
    private let listsByTag: [String: [(line: Line, list: RawAttributes)]]
    /// What the tags of date ranges say together, by their ID.
    let dateRanges: [(id: String, range: DateRangeRules.Range)]
    /// What the values of `CODECS` name, each read once.
    private let codecsByText: [String: [StatedCodec]]
    /// What is said of each variant, with the codecs that it names; put together once, since many rules look at it.
    let variantLists: [(line: Int, list: RawAttributes, codecs: [StatedCodec])]
    /// Those of them that are of pictures.
    let videoCodecs: Set<String>

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
        var lines: [Line] = []
        var number = 0
        var rest = text.utf8[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let kept = rest[..<end].last == 0x0D ? rest[..<end].dropLast() : rest[..<end]
            if !kept.isEmpty { lines.append(Line(number: number, text: String(Substring(kept)))) }
            rest = rest[end...].dropFirst()
        }
        var variables = DocumentVariables(url: url, isFile: http == nil, imports: imports)
        for index in lines.indices where lines[index].tag != nil || lines[index].isURI {
            if let value = variables.value(of: lines[index]) { lines[index] = Line(lines[index], value: value) }
        }
        self.lines = lines
        listed = lines.filter(\.isListed)
        traits = lines.reduce(into: []) { $0.formUnion($1.traits) }
        linesByTag = Dictionary(grouping: lines.filter { $0.tag != nil }) { $0.tag ?? "" }
        listsByTag = linesByTag.mapValues { lines in lines.compactMap { line in line.list.map { (line, $0) } } }
        dateRanges = DateRangeRules.ranges(listsByTag[DateRangeRules.tag] ?? [])
        var codecs: [String: [StatedCodec]] = [:]
        for tag in ["#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF"] {
            for (_, list) in listsByTag[tag] ?? [] {
                if let text = list["CODECS"], codecs[text] == nil { codecs[text] = StatedCodec.list(text) }
            }
        }
        codecsByText = codecs
        variantLists = (listsByTag["#EXT-X-STREAM-INF"] ?? []).map { line, list in
            (line.number, list, list["CODECS"].flatMap { codecs[$0] } ?? [])
        }
        videoCodecs = Set(codecs.values.joined().filter(\.isVideo).map(\.name))
        variableTroubles = variables.troubles
        uriLines = lines.filter(\.isURI)
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
        listsByTag[name] ?? []
    }

    /// The codecs that a variant's attributes name; none where they do not say.
    func codecs(_ list: RawAttributes) -> [StatedCodec] { list["CODECS"].flatMap { codecsByText[$0] } ?? [] }

    /// The first URI behind a line.
    func uri(after line: Line) -> String? {
        var (low, high) = (0, uriLines.count)
        while low < high {
            let middle = (low + high) / 2
            if uriLines[middle].number <= line.number { low = middle + 1 } else { high = middle }
        }
        return low < uriLines.count ? uriLines[low].value : nil
    }

    func place(line: Int? = nil, segment: Int? = nil) -> Place { Place(url: url, line: line, segment: segment) }

    /// The place of a segment: its URI's line.
    func place(ofSegment number: Int) -> Place {
        let lines = uriLines
        return place(line: number < lines.count ? lines[number].number : nil, segment: number)
    }
}
