/// The rules that every playlist keeps, as text.
enum SyntaxRules {
    static let all: [Check<PlaylistDocument>] = [
        firstLine, encoding, byteOrderMark, controls, mediaType, attributes, duplicates, mixed,
    ]

    /// A playlist is known by its first line.
    static let firstLine = Check<PlaylistDocument>(
        Rule("first-line", "R4.3.1.1", .must, "the first line is #EXTM3U")
    ) { document in
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = document.bytes.starts(with: mark) ? document.bytes.dropFirst(3) : document.bytes[...]
        let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !first.elementsEqual("#EXTM3U".utf8) else { return [] }
        let shown = String(decoding: first.prefix(40), as: UTF8.self).debugDescription
        return [Violation(document.place(line: 1), "the first line is \(shown)")]
    }

    /// All of it is UTF-8.
    static let encoding = Check<PlaylistDocument>(
        Rule("utf-8", "R4.1", .must, "the playlist is UTF-8")
    ) { document in
        guard String(validating: document.bytes, as: UTF8.self) == nil else { return [] }
        return [Violation(document.place(), "it is not UTF-8")]
    }

    /// UTF-8 without its mark.
    static let byteOrderMark = Check<PlaylistDocument>(
        Rule("byte-order-mark", "R4.1", .must, "the playlist has no byte order mark")
    ) { document in
        guard document.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return [] }
        return [Violation(document.place(line: 1), "it begins with a byte order mark")]
    }

    /// No control characters but the ends of lines.
    static let controls = Check<PlaylistDocument>(
        Rule("control-characters", "R4.1", .must, "no line has control characters")
    ) { document in
        document.lines.compactMap { line in
            let found = line.text.unicodeScalars.first { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
            return found.map {
                Violation(document.place(line: line.number), "the line has U+00\(String($0.value, radix: 16))")
            }
        }
    }

    /// Known as a playlist by media type or by name.
    static let mediaType = Check<PlaylistDocument>(
        Rule("playlist-type", "R4, A10.4", .must, "a playlist is known by its media type or its suffix")
    ) { document in
        let types = ["application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl"]
        if let type = document.http?.get.mediaType, types.contains(type) { return [] }
        let path = document.url.prefix { $0 != "?" && $0 != "#" }
        let isNamed = path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
        guard let http = document.http else {
            return isNamed ? [] : [Violation(document.place(), "the file's name ends in neither .m3u8 nor .m3u")]
        }
        guard !isNamed || http.get.mediaType.hasPrefix("text/html") else { return [] }
        return [Violation(document.place(), "its media type is \(http.get.mediaType.debugDescription)")]
    }

    private static let listed: Set<String> = [
        "#EXT-X-MAP", "#EXT-X-KEY", "#EXT-X-MEDIA", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-START",
        "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY", "#EXT-X-DATERANGE", "#EXT-X-DEFINE", "#EXT-X-SERVER-CONTROL",
        "#EXT-X-PART", "#EXT-X-PART-INF", "#EXT-X-PRELOAD-HINT", "#EXT-X-RENDITION-REPORT", "#EXT-X-SKIP",
    ]

    /// Attribute lists are names with values.
    static let attributes = Check<PlaylistDocument>(
        Rule("attribute-list", "R4.2", .must, "attribute lists are well formed")
    ) { document in
        document.lines.filter { listed.contains($0.tag ?? "") }.compactMap { line in
            RawAttributes(line.value).problem.map {
                Violation(document.place(line: line.number), "\(line.tag ?? ""): \($0)")
            }
        }
    }

    /// Each attribute stands once.
    static let duplicates = Check<PlaylistDocument>(
        Rule("duplicate-attribute", "R4.2", .must, "no attribute list has a name twice")
    ) { document in
        document.lines.filter { listed.contains($0.tag ?? "") }.flatMap { line in
            var seen: Set<String> = []
            return RawAttributes(line.value).values.filter { !seen.insert($0.name).inserted }.map {
                Violation(document.place(line: line.number), "\(line.tag ?? "") has \($0.name) twice")
            }
        }
    }

    private static let ofMedia: Set<String> = [
        "#EXTINF", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE",
        "#EXT-X-DISCONTINUITY", "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-BYTERANGE",
        "#EXT-X-MAP", "#EXT-X-KEY", "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-GAP",
    ]
    private static let ofMultivariant: Set<String> = [
        "#EXT-X-MEDIA", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY",
    ]

    /// A playlist names segments or playlists.
    static let mixed = Check<PlaylistDocument>(
        Rule("mixed-tags", "R4.3.3, R4.3.4", .must, "media and multivariant tags are never in one playlist")
    ) { document in
        guard document.lines.contains(where: { ofMedia.contains($0.tag ?? "") }),
            let line = document.lines.first(where: { ofMultivariant.contains($0.tag ?? "") })
        else { return [] }
        let message = "\(line.tag ?? "") stands in a playlist with media playlist tags"
        return [Violation(document.place(line: line.number), message)]
    }
}
