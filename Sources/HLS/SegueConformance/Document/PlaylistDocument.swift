package import SegueBase
package import SeguePlaylists

// Size: one property for each view of the text that a rule reads.
/// A playlist as received: its bytes, its lines, and the result of the parser.
package struct PlaylistDocument: Sendable {
    /// A nonempty line.
    package final class Line: Sendable {
        /// The line number, from 1.
        package let number: Int
        /// The text without the line end.
        package let text: String
        /// The tag name with its `#`; nil for a URI or a comment.
        package let tag: String?
        /// The text after the tag's colon, or the URI, with variables substituted.
        package let value: String
        package let isURI: Bool
        /// The attributes; nil if the tag has no attribute list.
        let list: RawAttributes?

        let traits: LineTraits

        /// True if the tag has an attribute list.
        var isListed: Bool { list != nil }

        init(number: Int, text: String) {
            (self.number, self.text, traits) = (number, text, LineTraits(of: text[...].utf8))
            // White space at the ends has a rule of its own.
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

        /// The line with variables substituted.
        fileprivate init(_ line: Line, value: String) {
            (number, text, tag, self.value, isURI) = (line.number, line.text, line.tag, value, line.isURI)
            traits = line.traits
            list = line.isListed ? RawAttributes(value) : nil
        }
    }

    package var url: String

    /// The bytes after content decoding.
    package var bytes: [UInt8]

    /// The HTTP responses; nil for a file.
    package var http: HTTPFacts?

    /// True if a second request returned the same bytes; nil without a second request.
    package var isSameAgain: Bool?

    /// The reason why the playlist failed to load; nil if it loaded.
    package let absence: Message?

    /// The nonempty lines.
    package let lines: [Line]

    /// The problems with variables.
    let variableTroubles: [VariableTrouble]

    let uriLines: [Line]

    /// The parsed playlist; nil if the strict parser rejects it.
    package let playlist: Playlist?

    /// The error of the strict parser.
    package let refusal: PlaylistError?

    /// The lines with attribute lists.
    let listed: [Line]
    /// The union of the traits of all lines.
    let traits: LineTraits
    private let linesByTag: [String: [Line]]
    /// The lines with attribute lists by tag, parsed once for all rules.
    private let listsByTag: [String: [(line: Line, list: RawAttributes)]]
    let dateRanges: [(id: String, range: DateRangeRules.Range)]
    /// The parsed values of `CODECS`.
    private let codecsByText: [String: [StatedCodec]]
    /// The attributes and codecs of each variant, computed once for all rules.
    let variantLists: [(line: Int, list: RawAttributes, codecs: [StatedCodec])]
    /// The names of video codecs.
    let videoCodecs: Set<String>

    /// Reads a playlist.
    ///
    /// - Parameters:
    ///   - url: The URL of the playlist.
    ///   - bytes: The bytes after content decoding.
    ///   - http: The HTTP responses; nil for a file.
    ///   - isSameAgain: True if a second request returned the same bytes.
    ///   - imports: The variables of the multivariant playlist; nil if none names this playlist.
    ///   - absence: The reason why the playlist failed to load.
    package init(
        url: String,
        bytes: [UInt8],
        http: HTTPFacts? = nil,
        isSameAgain: Bool? = nil,
        importing imports: [String: String]? = nil,
        absence: Message? = nil
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
            // Variables with unknown values have their names as values.
            playlist = try Playlist.parse(bytes, from: url + variables.assumedQuery, importing: variables.imports)
            refusal = nil
        } catch {
            playlist = nil
            refusal = error
        }
    }

    /// The parsed media playlist; nil for another kind or after a parser error.
    package var media: MediaPlaylist? {
        if case .media(let media) = playlist { media } else { nil }
    }

    /// The parsed multivariant playlist; nil for another kind or after a parser error.
    package var multivariant: MultivariantPlaylist? {
        if case .multivariant(let multivariant) = playlist { multivariant } else { nil }
    }

    /// True if the text has variants, even if the parser rejects it.
    package var namesVariants: Bool { !tags("#EXT-X-STREAM-INF").isEmpty }

    func tags(_ name: String) -> [Line] { linesByTag[name] ?? [] }

    func has(_ name: String) -> Bool { linesByTag[name] != nil }

    /// Returns the lines with a tag and their attributes.
    func lists(_ name: String) -> [(line: Line, list: RawAttributes)] {
        listsByTag[name] ?? []
    }

    /// Returns the codecs of a variant's attributes.
    func codecs(_ list: RawAttributes) -> [StatedCodec] { list["CODECS"].flatMap { codecsByText[$0] } ?? [] }

    /// Returns the first URI after a line.
    func uri(after line: Line) -> String? {
        var (low, high) = (0, uriLines.count)
        while low < high {
            let middle = (low + high) / 2
            if uriLines[middle].number <= line.number { low = middle + 1 } else { high = middle }
        }
        return low < uriLines.count ? uriLines[low].value : nil
    }

    func place(line: Int? = nil, segment: Int? = nil) -> Place { Place(url: url, line: line, segment: segment) }

    /// Returns the place of a segment: the line of its URI.
    func place(ofSegment number: Int) -> Place {
        let lines = uriLines
        return place(line: number < lines.count ? lines[number].number : nil, segment: number)
    }
}
