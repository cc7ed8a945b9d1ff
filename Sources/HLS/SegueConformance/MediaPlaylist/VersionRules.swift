internal import SegueBase

/// The rules on `#EXT-X-VERSION`.
enum VersionRules {
    static let all: [Check<PlaylistDocument>] = [once, enough, unneeded]

    static let once = Check<PlaylistDocument>(
        Rule(
            "version-once",
            in: .syntax,
            clauses: "R4.3.1.2, B4.4.1.2",
            .must,
            requires: "#EXT-X-VERSION occurs at most once",
            fix: "remove the repeated tag"
        )
    ) { document in
        document.tags("#EXT-X-VERSION").dropFirst().map {
            Violation(document.place(line: $0.number), "#EXT-X-VERSION is repeated")
        }
    }

    static let enough = Check<PlaylistDocument>(
        Rule(
            "version-enough",
            in: .syntax,
            clauses: "R4.3.1.2, R7, B4.4.1.2, B8",
            .must,
            requires: "the version is high enough for the features that the playlist uses",
            fix: "raise #EXT-X-VERSION"
        )
    ) { document in
        let declared = document.tags("#EXT-X-VERSION").first.flatMap { Int($0.value) } ?? 1
        guard let (line, need) = needs(document).max(by: { $0.1 < $1.1 }), need > declared else { return [] }
        let message: Message = "\(feature(line, need)) needs version \(need), the playlist declares \(declared)"
        return [Violation(document.place(line: line.number), message)]
    }

    /// The feature of a line that needs a version, such as `a fraction in #EXTINF`.
    private static func feature(_ line: PlaylistDocument.Line, _ version: Int) -> Message {
        switch (line.tag, version) {
        case ("#EXTINF", _): "a fraction in #EXTINF"
        case ("#EXT-X-KEY", 5), ("#EXT-X-SESSION-KEY", 5): "KEYFORMAT or METHOD=SAMPLE-AES of \(line.tag ?? "")"
        case ("#EXT-X-KEY", _), ("#EXT-X-SESSION-KEY", _): "IV of \(line.tag ?? "")"
        case ("#EXT-X-MEDIA", 13): "INSTREAM-ID without TYPE=CLOSED-CAPTIONS"
        case ("#EXT-X-MEDIA", _): "INSTREAM-ID=\"SERVICEn\""
        case ("#EXT-X-STREAM-INF", _), ("#EXT-X-I-FRAME-STREAM-INF", _): "REQ-VIDEO-LAYOUT"
        case ("#EXT-X-DEFINE", 11): "QUERYPARAM of #EXT-X-DEFINE"
        case ("#EXT-X-SKIP", 10): "RECENTLY-REMOVED-DATERANGES"
        case ("#EXT-X-MAP", 6): "#EXT-X-MAP without #EXT-X-I-FRAMES-ONLY"
        case (let tag, 8) where tag == nil || line.hasVariable: "a variable"
        case (let tag, _): "\(tag ?? "a variable")"
        }
    }

    static let unneeded = Check<PlaylistDocument>(
        Rule(
            "version-unneeded",
            in: .syntax,
            clauses: "R6.2.1, B6.2.1",
            .should,
            requires: "the version is no higher than the playlist needs",
            fix: "lower #EXT-X-VERSION"
        )
    ) { document in
        guard let line = document.tags("#EXT-X-VERSION").first, let declared = Int(line.value),
            (1...13).contains(declared), !document.has("#EXT-X-SKIP")
        else { return [] }
        let need = max(needs(document).map(\.1).max() ?? 1, introduced(in: document))
        guard declared > need else { return [] }
        // Playlists with renditions may declare any version from 4.
        guard !document.has("#EXT-X-MEDIA") || declared < 4 else { return [] }
        return [Violation(document.place(line: line.number), "the version is \(declared), expected \(need)")]
    }

    /// The version that introduced each tag that older players ignore.
    private static let introduced = [
        "#EXT-X-GAP": 8, "#EXT-X-BITRATE": 8, "#EXT-X-PART": 10, "#EXT-X-PART-INF": 10, "#EXT-X-SERVER-CONTROL": 10,
        "#EXT-X-PRELOAD-HINT": 10, "#EXT-X-RENDITION-REPORT": 10,
        // Variables may be defined for media playlists only.
        "#EXT-X-DEFINE": 8, "#EXT-X-CONTENT-STEERING": 12,
    ]

    private static func introduced(in document: PlaylistDocument) -> Int {
        let hasRange = document.lists("#EXT-X-STREAM-INF").contains { $0.list["VIDEO-RANGE"] != nil }
        return max(introduced.filter { document.has($0.key) }.values.max() ?? 1, hasRange ? 8 : 1)
    }

    /// The features that need a version, each with its first line.
    private static func needs(_ document: PlaylistDocument) -> [(PlaylistDocument.Line, Int)] {
        let plain: [(String, Int)] = [
            ("#EXT-X-BYTERANGE", 4), ("#EXT-X-I-FRAMES-ONLY", 4),
            ("#EXT-X-MAP", document.has("#EXT-X-I-FRAMES-ONLY") ? 5 : 6),
        ]
        let listed: [(String, (RawAttributes) -> Int?)] = [
            ("#EXT-X-KEY", key), ("#EXT-X-SESSION-KEY", key), ("#EXT-X-MEDIA", media), ("#EXT-X-STREAM-INF", variant),
            ("#EXT-X-I-FRAME-STREAM-INF", variant), ("#EXT-X-DEFINE", { $0["QUERYPARAM"] == nil ? nil : 11 }),
            ("#EXT-X-SKIP", { $0["RECENTLY-REMOVED-DATERANGES"] == nil ? 9 : 10 }),
        ]
        let fraction = document.tags("#EXTINF").first { $0.durationText.utf8.contains(UInt8(ascii: ".")) }
        let variable = document.traits.contains(.brace) ? document.lines.first(where: \.hasVariable) : nil
        var all = [fraction.map { ($0, 3) }].compactMap { $0 }
        all += plain.compactMap { tag, version in document.tags(tag).first.map { ($0, version) } }
        all += listed.compactMap { tag, version in
            document.lists(tag).lazy.compactMap { line, list in version(list).map { (line, $0) } }
                .max { $0.1 < $1.1 }
        }
        return all.sorted { $0.0.number < $1.0.number } + [variable.map { ($0, 8) }].compactMap { $0 }
    }

    private static func variant(_ attributes: RawAttributes) -> Int? {
        attributes.values.contains { $0.name.hasPrefix("REQ-") } ? 12 : nil
    }

    private static func media(_ attributes: RawAttributes) -> Int? {
        guard let stream = attributes["INSTREAM-ID"] else { return nil }
        if let type = attributes["TYPE"], type != "CLOSED-CAPTIONS" { return 13 }
        return stream.hasPrefix("SERVICE") ? 7 : nil
    }

    private static func key(_ attributes: RawAttributes) -> Int? {
        if attributes["KEYFORMAT"] != nil || attributes["KEYFORMATVERSIONS"] != nil { return 5 }
        if attributes["METHOD"] == "SAMPLE-AES" { return 5 }
        return attributes["IV"] != nil ? 2 : nil
    }
}

extension PlaylistDocument.Line {
    /// Returns true if the line refers to a variable in a position where variables are substituted.
    fileprivate var hasVariable: Bool {
        traits.contains(.brace) && (isURI || isListed)
            && text.utf8.split(separator: UInt8(ascii: "{")).contains { piece in
                guard piece.first == UInt8(ascii: "$") else { return false }
                let end = piece.dropFirst().drop(while: Letters.names.contains)
                return end.first == UInt8(ascii: "}") && end.startIndex > piece.index(after: piece.startIndex)
            }
    }
}
