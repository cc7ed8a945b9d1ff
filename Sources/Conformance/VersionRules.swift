/// The rules on the version that a playlist declares.
enum VersionRules {
    static let all: [Check<PlaylistDocument>] = [once, enough, unneeded]

    /// The version is declared at most once.
    static let once = Check<PlaylistDocument>(
        Rule("version-once", "R4.3.1.2, B4.4.1.2", .must, "#EXT-X-VERSION stands at most once")
    ) { document in
        document.tags("#EXT-X-VERSION").dropFirst().map {
            Violation(document.place(line: $0.number), "#EXT-X-VERSION is there again")
        }
    }

    /// The version covers what is used.
    static let enough = Check<PlaylistDocument>(
        Rule(
            "version-enough",
            "R4.3.1.2, R7, B4.4.1.2, B8",
            .must,
            "the version is high enough for what the playlist uses"
        )
    ) { document in
        let declared = document.tags("#EXT-X-VERSION").first.flatMap { Int($0.value) } ?? 1
        guard let (line, need) = needs(document).max(by: { $0.1 < $1.1 }), need > declared else { return [] }
        let message = "\(line.tag ?? "a variable") as used here needs version \(need), declared is \(declared)"
        return [Violation(document.place(line: line.number), message)]
    }

    /// The version is no higher than what is used.
    static let unneeded = Check<PlaylistDocument>(
        Rule("version-unneeded", "R6.2.1, B6.2.1", .should, "the version is no higher than the playlist needs")
    ) { document in
        guard let line = document.tags("#EXT-X-VERSION").first, let declared = Int(line.value),
            (1...13).contains(declared), !document.has("#EXT-X-SKIP")
        else { return [] }
        let need = max(needs(document).map(\.1).max() ?? 1, document.lines.compactMap(came).max() ?? 1)
        guard declared > need else { return [] }
        // Of renditions, any version from 4 on may be told.
        guard !document.has("#EXT-X-MEDIA") || declared < 4 else { return [] }
        return [Violation(document.place(line: line.number), "it is \(declared), needed is \(need)")]
    }

    /// The version that a tag came with which older players ignore.
    private static func came(_ line: PlaylistDocument.Line) -> Int? {
        switch line.tag {
        case "#EXT-X-GAP", "#EXT-X-BITRATE": 8
        case "#EXT-X-PART", "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL", "#EXT-X-PRELOAD-HINT",
            "#EXT-X-RENDITION-REPORT":
            10
        // What is defined for other playlists is not put in here.
        case "#EXT-X-DEFINE": 8
        case "#EXT-X-CONTENT-STEERING": 12
        case "#EXT-X-STREAM-INF" where line.value.contains("VIDEO-RANGE="): 8
        default: nil
        }
    }

    private static func needs(_ document: PlaylistDocument) -> [(PlaylistDocument.Line, Int)] {
        let isIFramesOnly = !document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty
        return document.lines.compactMap { line in
            switch line.tag {
            case "#EXTINF": line.value.prefix { $0 != "," }.contains(".") ? (line, 3) : nil
            case "#EXT-X-BYTERANGE", "#EXT-X-I-FRAMES-ONLY": (line, 4)
            case "#EXT-X-MAP": (line, isIFramesOnly ? 5 : 6)
            case "#EXT-X-KEY", "#EXT-X-SESSION-KEY": key(RawAttributes(line.value)).map { (line, $0) }
            case "#EXT-X-MEDIA": media(RawAttributes(line.value)).map { (line, $0) }
            case "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF":
                RawAttributes(line.value).values.contains { $0.name.hasPrefix("REQ-") } ? (line, 12) : nil
            case "#EXT-X-DEFINE" where RawAttributes(line.value)["QUERYPARAM"] != nil: (line, 11)
            case "#EXT-X-SKIP": (line, RawAttributes(line.value)["RECENTLY-REMOVED-DATERANGES"] == nil ? 9 : 10)
            default: nil
            }
        } + document.lines.filter(\.hasVariable).map { ($0, 8) }
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
    /// Whether a variable is named where one is put in.
    fileprivate var hasVariable: Bool {
        // Few lines have a brace, and looking for one takes next to nothing.
        text.utf8.contains(UInt8(ascii: "{")) && (isURI || PlaylistGrammar.tags[tag ?? ""] != nil)
            && text.contains(/\{\$[A-Za-z0-9_-]+\}/)
    }
}
