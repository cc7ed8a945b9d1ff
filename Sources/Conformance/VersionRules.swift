/// The rules on the version that a playlist declares.
enum VersionRules {
    static let all: [Check<PlaylistDocument>] = [once, enough]

    /// The version is declared at most once.
    static let once = Check<PlaylistDocument>(
        Rule("version-once", "R4.3.1.2", .must, "#EXT-X-VERSION stands at most once")
    ) { document in
        document.tags("#EXT-X-VERSION").dropFirst().map {
            Violation(document.place(line: $0.number), "#EXT-X-VERSION is there again")
        }
    }

    /// The version covers what is used.
    static let enough = Check<PlaylistDocument>(
        Rule("version-enough", "R7, B8", .must, "the version is high enough for what the playlist uses")
    ) { document in
        let declared = document.tags("#EXT-X-VERSION").first.flatMap { Int($0.value) } ?? 1
        guard let (line, need) = needs(document).max(by: { $0.1 < $1.1 }), need > declared else { return [] }
        let message = "\(line.tag ?? "") as used here needs version \(need), declared is \(declared)"
        return [Violation(document.place(line: line.number), message)]
    }

    private static func needs(_ document: PlaylistDocument) -> [(PlaylistDocument.Line, Int)] {
        let isIFramesOnly = !document.tags("#EXT-X-I-FRAMES-ONLY").isEmpty
        return document.lines.compactMap { line in
            switch line.tag {
            case "#EXTINF": line.value.prefix { $0 != "," }.contains(".") ? (line, 3) : nil
            case "#EXT-X-BYTERANGE", "#EXT-X-I-FRAMES-ONLY": (line, 4)
            case "#EXT-X-MAP": (line, isIFramesOnly ? 5 : 6)
            case "#EXT-X-KEY": key(RawAttributes(line.value)).map { (line, $0) }
            case "#EXT-X-MEDIA":
                RawAttributes(line.value)["INSTREAM-ID"]?.hasPrefix("SERVICE") == true ? (line, 7) : nil
            case "#EXT-X-DEFINE": (line, RawAttributes(line.value)["QUERYPARAM"] == nil ? 8 : 11)
            default: nil
            }
        }
    }

    private static func key(_ attributes: RawAttributes) -> Int? {
        if attributes["KEYFORMAT"] != nil || attributes["KEYFORMATVERSIONS"] != nil { return 5 }
        return attributes["IV"] != nil ? 2 : nil
    }
}
